//! Every command names a file that is missing in the same words, with the exit status of a wrong command line.

use crate::common::{croupier, dealer_path};

/// Commands with a missing file, and the file.
const COMMANDS: [(&str, &str); 21] = [
    ("convert none.pbn -o out.lin", "none.pbn"),
    ("record none.pbn -o out.pdf", "none.pbn"),
    ("results none.pbn", "none.pbn"),
    ("play none.pbn", "none.pbn"),
    ("solve none.pbn", "none.pbn"),
    ("value none.pbn", "none.pbn"),
    ("verify none.pbn 0102", "none.pbn"),
    ("verify none.pbn none.key", "none.key"),
    ("verify /dev/null 0102 --script none.dl", "none.dl"),
    ("validate none.dl", "none.dl"),
    ("compare -k 3N -k 4S none.dl", "none.dl"),
    ("compare -k 3N -k 4S --deals none.pbn", "none.pbn"),
    ("lead -H QJT98.A2.K543.72 -k 3N-S none.dl", "none.dl"),
    ("probability none.dl", "none.dl"),
    ("fmt none.dl", "none.dl"),
    ("merge none.json", "none.json"),
    ("profile none.toml", "none.toml"),
    ("profile check none.toml", "none.toml"),
    ("profile to-script none.toml", "none.toml"),
    ("poker equity AA KK --ranges-file none.txt", "none.txt"),
    ("poker solve --resume none.spot", "none.spot"),
];

/// Commands of programs with robots.
#[cfg(feature = "bidding")]
const BIDDING: &[(&str, &str)] = &[
    ("bid none.pbn", "none.pbn"),
    ("bid none.pbn --system none.bid", "none.bid"),
    ("match one.bid none.bid", "one.bid"),
    ("infer 1N --system none.bid", "none.bid"),
    ("system check none.bid", "none.bid"),
];

#[cfg(not(feature = "bidding"))]
const BIDDING: &[(&str, &str)] = &[];

#[test]
fn a_missing_file_has_status_2_and_the_same_words_in_every_command() {
    for &(command, name) in COMMANDS.iter().chain(BIDDING) {
        let output = croupier(&command.split(' ').collect::<Vec<_>>());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains(&format!("{name}: there is no file of this name")),
            "{command}: {errors}"
        );
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(output.stdout.is_empty(), "{command}");
    }
    for words in [&["none.dl"][..], &["-L", "none.zrd", "/dev/null"]] {
        let output = std::process::Command::new(dealer_path())
            .env_remove("CROUPIER_COMPAT")
            .args(words)
            .output()
            .expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains(": there is no file of this name"),
            "{errors}"
        );
        assert_eq!(output.status.code(), Some(2), "{errors}");
    }
}
