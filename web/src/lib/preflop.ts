// Starting hands of hold'em: the grid, and a range in words.

export const GRID_RANKS = 'AKQJT98765432';

/** `AKs` above the diagonal, `AKo` below it, `AA` on it. */
export function className(row: number, column: number): string {
  const [a, b] = [GRID_RANKS[Math.min(row, column)], GRID_RANKS[Math.max(row, column)]];
  return a + b + (row === column ? '' : row < column ? 's' : 'o');
}

export function combinations(row: number, column: number): number {
  return row === column ? 6 : row < column ? 4 : 12;
}

/** A range in words: runs such as `TT+` and `A9s-A5s` are put together. */
export function rangeText(chosen: Set<string>): string {
  const parts: string[] = [];
  const pairs = [...Array(13).keys()].filter((i) => chosen.has(className(i, i)));
  runs(pairs).forEach(([from, to]) => {
    const name = (i: number) => GRID_RANKS[i] + GRID_RANKS[i];
    parts.push(from === 0 && to > from ? `${name(to)}+` : from === to ? name(from) : `${name(from)}-${name(to)}`);
  });
  for (const kind of ['s', 'o'] as const) {
    for (let high = 0; high < 12; high++) {
      const lows = [...Array(13).keys()].filter((low) => low > high && chosen.has(GRID_RANKS[high] + GRID_RANKS[low] + kind));
      runs(lows).forEach(([from, to]) => {
        const name = (low: number) => GRID_RANKS[high] + GRID_RANKS[low] + kind;
        // `76s+` means connectors that rise together, so a plus is right only for gaps.
        const plus = from === high + 1 && to > from + 0 && to !== high + 1;
        parts.push(from === to ? name(from) : plus ? `${name(to)}+` : `${name(from)}-${name(to)}`);
      });
    }
  }
  return parts.join(', ');
}

function runs(list: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const i of list) {
    const last = found[found.length - 1];
    if (last && last[1] === i - 1) last[1] = i;
    else found.push([i, i]);
  }
  return found;
}
