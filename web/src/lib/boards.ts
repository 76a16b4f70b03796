// Lists of boards: turning, numbering, and changes by the reader.

import type { BoardData, CallExplanation, ParText, SeatName } from '../engine';
import { byNumber, SEATS } from './cards';
import type { Rotation } from './recipe';

/** Returns the fields of a board that the engine knows, without those of a run. */
export function plainBoard(board: BoardData): BoardData {
  const { deal, number, dealer, vulnerable, tricks, event, players, record, comments, pbn } = board;
  return { deal, number, dealer, vulnerable, tricks, event, players, record, comments, pbn };
}

/** Auction, contract, result and play of a board. */
export interface BoardRecord {
  auction: string[];
  explanations: CallExplanation[];
  contract: string | null;
  declarer: SeatName | null;
  /** Number of tricks that declarer took. */
  result: number | null;
  play: string[];
}

export function recordOf(board: BoardData): BoardRecord | null {
  if (!board.record) return null;
  const { auction = [], explanations = [], contract, declarer, result, play = [] } = board.record;
  return {
    auction,
    explanations,
    contract: contract ?? null,
    declarer: declarer ?? null,
    result: result ?? null,
    play,
  };
}

/** Returns the quarter turns of the board with this number. Random turns depend on the seed and the number only. */
function steps(rotation: Rotation, seed: string, ordinal: number): number {
  if (rotation === 'none') return 0;
  if (rotation === 'half') return 2;
  if (rotation === 'quarter') return 1;
  // FNV-1a, a short hash.
  let hash = 2166136261;
  for (const char of `${seed}/${ordinal}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  return (hash >>> 8) % 4;
}

/** Turns a board clockwise: cards, tricks, and a dealer that the number does not determine. */
export function turned<B extends BoardData>(board: B, rotation: Rotation, seed: string, ordinal: number): B {
  const by = steps(rotation, seed, ordinal);
  if (by === 0) return board;
  const first = SEATS.indexOf(board.deal[0] as SeatName);
  const deal = `${SEATS[(first + by) % 4]}${board.deal.slice(1)}`;
  const fixed = board.dealer && board.dealer !== byNumber(board.number ?? 1).dealer;
  return {
    ...board,
    deal,
    dealer: fixed ? SEATS[(SEATS.indexOf(board.dealer!) + by) % 4] : board.dealer,
    tricks: board.tricks && SEATS.map((_, row) => board.tricks![(row + 4 - by) % 4]),
  };
}

/** Numbers boards from `first` on. Dealer and vulnerability follow where the old number determined them. */
export function renumbered<B extends BoardData>(boards: B[], first: number): B[] {
  return boards.map((board, i) => {
    const number = first + i;
    if (board.number === number) return board;
    const before = board.number === undefined ? null : byNumber(board.number);
    const now = byNumber(number);
    return {
      ...board,
      number,
      dealer: !before || board.dealer === before.dealer ? now.dealer : board.dealer,
      vulnerable: !before || board.vulnerable === before.vulnerable ? now.vulnerable : board.vulnerable,
    };
  });
}

/** Adds number, dealer and vulnerability where a file has none. */
export function completed(board: BoardData, i: number): BoardData {
  const number = board.number ?? i + 1;
  return { ...byNumber(number), ...board, number };
}

/** Moves a board by some places. */
export function moved<B>(boards: B[], from: number, by: number): B[] {
  const to = Math.max(0, Math.min(boards.length - 1, from + by));
  const list = boards.slice();
  list.splice(to, 0, ...list.splice(from, 1));
  return list;
}

/** Returns a contract in words: "4♠x by South", "3NT". */
export function contractText(contract: string): string {
  const signs: Record<string, string> = { C: '♣', D: '♦', H: '♥', S: '♠', N: 'NT' };
  return contract.replace(
    /^(\d)([CDHSN])T?/i,
    (_, level: string, strain: string) => level + signs[strain.toUpperCase()],
  );
}

/** Returns a par contract as hand records print it: "3♠= NS", "4♥*−1 EW". */
export function parText({ contract, result, declarers }: ParText): string {
  return `${contractText(contract).replace(/x+$/i, '*')}${result.replace('-', '−')} ${declarers}`;
}

/** Returns a result in words: "made", "made with 2 overtricks", "down 1". */
export function resultText(contract: string, tricks: number): string {
  const over = tricks - 6 - Number(contract[0]);
  if (over === 0) return 'made';
  return over > 0 ? `made with ${over} over` : `down ${-over}`;
}
