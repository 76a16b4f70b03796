#!/usr/bin/env bash
# Makes the first corpus of the fuzz target `script`: every script of the tests and examples, in each mode, and the shape
# expressions of the vectors.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/script
for file in ../crates/script/tests/data/language/errors/*.dl ../crates/script/tests/data/golden/*.dl ../examples/*.dl; do
    for mode in 0 1 2; do
        { printf "\\x0$mode"; cat "$file"; } > "corpus/script/$mode-$(basename "$file")"
    done
done
number=0
tail -n +2 ../crates/script/tests/data/language/fdshapes_native.csv | cut -d, -f3 | while read -r expression; do
    number=$((number + 1))
    printf '\x00condition shape{north, %s}' "$expression" > "corpus/script/fd-$number"
done
echo "$(ls corpus/script | wc -l) inputs in fuzz/corpus/script"
