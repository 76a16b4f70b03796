// Starting hands of hold'em: the grid, and an order by strength for the percentage slider.

export const GRID_RANKS = 'AKQJT98765432';

/** `AKs` above the diagonal, `AKo` below it, `AA` on it. */
export function className(row: number, column: number): string {
  const [a, b] = [GRID_RANKS[Math.min(row, column)], GRID_RANKS[Math.max(row, column)]];
  return a + b + (row === column ? '' : row < column ? 's' : 'o');
}

export function combinations(row: number, column: number): number {
  return row === column ? 6 : row < column ? 4 : 12;
}

/**
 * Chen's formula, the order in which the slider takes hands: the high card, twice that for pairs, two points for suited
 * cards, less for gaps, one more for low connectors.
 */
function chen(row: number, column: number): number {
  const value = (i: number) => [10, 8, 7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1][i];
  const [high, low] = [Math.min(row, column), Math.max(row, column)];
  if (row === column) return Math.max(5, 2 * value(row));
  const gap = low - high - 1;
  const penalty = [0, 1, 2, 4, 5][Math.min(gap, 4)];
  const straight = gap <= 1 && high >= 3 ? 1 : 0;
  return value(high) + (row < column ? 2 : 0) - penalty + straight;
}

export const BY_STRENGTH: [number, number][] = Array.from({ length: 169 }, (_, i) => [Math.floor(i / 13), i % 13] as [number, number]).sort(
  ([a, b], [c, d]) => chen(c, d) - chen(a, b) || Math.min(a, b) - Math.min(c, d) || Math.max(a, b) - Math.max(c, d),
);

/** The classes that make up the best so many percent of all hands. */
export function best(percent: number): Set<string> {
  const chosen = new Set<string>();
  let hands = 0;
  for (const [row, column] of BY_STRENGTH) {
    if (hands + combinations(row, column) / 2 > (percent / 100) * 1326) break;
    hands += combinations(row, column);
    chosen.add(className(row, column));
  }
  return chosen;
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
