// Starting hands of hold'em: the grid, and ranges as text.

export const GRID_RANKS = 'AKQJT98765432';

/** Returns the name of a class: `AKs` above the diagonal, `AKo` below it, `AA` on it. */
export function className(row: number, column: number): string {
  const [a, b] = [GRID_RANKS[Math.min(row, column)], GRID_RANKS[Math.max(row, column)]];
  return a + b + (row === column ? '' : row < column ? 's' : 'o');
}

/** Returns the class of two cards: `AhKh` is `AKs`. */
export function classOf(hand: string): string {
  const cards = [hand.slice(0, 2), hand.slice(2, 4)].sort(
    (a, b) => GRID_RANKS.indexOf(a[0]) - GRID_RANKS.indexOf(b[0]),
  );
  const ranks = cards[0][0] + cards[1][0];
  return ranks + (ranks[0] === ranks[1] ? '' : cards[0][1] === cards[1][1] ? 's' : 'o');
}

export function combinations(row: number, column: number): number {
  return row === column ? 6 : row < column ? 4 : 12;
}

/** Returns the text of a range of classes with weights from 0 to 1: `TT+, A9s-A5s, 72o:0.5`. */
export function weightedText(chosen: Map<string, number>): string {
  const weights = [...new Set(chosen.values())].filter((it) => it > 0).sort((a, b) => b - a);
  return weights
    .map((weight) => {
      const text = rangeText(new Set([...chosen].filter(([, it]) => it === weight).map(([name]) => name)));
      return weight === 1 ? text : text.replace(/[^,\s]+/g, (part) => `${part}:${weight}`);
    })
    .filter(Boolean)
    .join(', ');
}

/** Returns the text of a range, with runs such as `TT+` and `A9s-A5s`. */
export function rangeText(chosen: Set<string>): string {
  const parts: string[] = [];
  const pairs = [...Array(13).keys()].filter((i) => chosen.has(className(i, i)));
  runs(pairs).forEach(([from, to]) => {
    const name = (i: number) => GRID_RANKS[i] + GRID_RANKS[i];
    parts.push(from === 0 && to > from ? `${name(to)}+` : from === to ? name(from) : `${name(from)}-${name(to)}`);
  });
  for (const kind of ['s', 'o'] as const) {
    for (let high = 0; high < 12; high++) {
      const lows = [...Array(13).keys()].filter(
        (low) => low > high && chosen.has(GRID_RANKS[high] + GRID_RANKS[low] + kind),
      );
      runs(lows).forEach(([from, to]) => {
        const name = (low: number) => GRID_RANKS[high] + GRID_RANKS[low] + kind;
        // `76s+` raises both cards of connectors, so a plus is used only with a gap.
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
