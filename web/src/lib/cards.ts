// Cards, hands and deals as the page shows them.

import type { BoardData, SeatName, Vulnerability } from '../engine';

export const SEATS: SeatName[] = ['N', 'E', 'S', 'W'];
export const SEAT_NAMES: Record<SeatName, string> = { N: 'North', E: 'East', S: 'South', W: 'West' };
export const SUITS = ['S', 'H', 'D', 'C'] as const;
export type Suit = (typeof SUITS)[number];
export const SUIT_SIGNS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣', N: 'NT' };
export const SUIT_NAMES: Record<string, string> = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs', N: 'notrump' };
export const RANKS = 'AKQJT98765432';
/** Columns of a trick table, in the order of the data. */
export const STRAINS = ['C', 'D', 'H', 'S', 'N'] as const;

/** Ranks by suit, as in `{ S: 'AKQ', H: '', ... }`. */
export type Hand = Record<Suit, string>;

export function parseHand(text: string): Hand {
  const [S = '', H = '', D = '', C = ''] = text.split('.');
  const clean = (ranks: string) => (ranks === '-' ? '' : ranks);
  return { S: clean(S), H: clean(H), D: clean(D), C: clean(C) };
}

/** Returns the hands of a deal in PBN notation, `N:... ... ... ...`, with any first seat. */
export function parseDeal(text: string): Record<SeatName, Hand> {
  const first = SEATS.indexOf(text[0].toUpperCase() as SeatName);
  const parts = text.slice(2).trim().split(/\s+/);
  const hands = {} as Record<SeatName, Hand>;
  parts.forEach((part, i) => (hands[SEATS[(first + i) % 4]] = parseHand(part)));
  return hands;
}

export function handText(hand: Hand): string {
  return SUITS.map((suit) => hand[suit]).join('.');
}

export function hcp(hand: Hand): number {
  let points = 0;
  for (const suit of SUITS) {
    for (const rank of hand[suit]) points += Math.max(0, 4 - RANKS.indexOf(rank));
  }
  return points;
}

export function isVulnerable(vulnerable: Vulnerability | undefined, seat: SeatName): boolean {
  return vulnerable === 'both' || vulnerable === (seat === 'N' || seat === 'S' ? 'ns' : 'ew');
}

export const VULNERABLE_TEXT: Record<Vulnerability, string> = {
  none: 'Nobody vulnerable',
  ns: 'N-S vulnerable',
  ew: 'E-W vulnerable',
  both: 'All vulnerable',
};

/** Short form for the corner of a diagram. */
export const VULNERABLE_SHORT: Record<Vulnerability, string> = {
  none: 'Vul none',
  ns: 'Vul N-S',
  ew: 'Vul E-W',
  both: 'Vul all',
};

/** Returns dealer and vulnerability of a duplicate board. */
export function byNumber(number: number): { dealer: SeatName; vulnerable: Vulnerability } {
  const n = (number - 1) % 16;
  const cycle: Vulnerability[] = ['none', 'ns', 'ew', 'both'];
  return { dealer: SEATS[n % 4], vulnerable: cycle[(n + Math.floor(n / 4)) % 4] };
}

/** Returns the address of a board in BBO's hand viewer. */
export function handviewer(board: BoardData): string {
  const hands = parseDeal(board.deal);
  const hand = (seat: SeatName) => SUITS.map((suit) => suit.toLowerCase() + hands[seat][suit].toLowerCase()).join('');
  const vulnerable = { none: 'o', ns: 'n', ew: 'e', both: 'b' }[board.vulnerable ?? 'none'];
  const query = new URLSearchParams({
    n: hand('N'),
    e: hand('E'),
    s: hand('S'),
    w: hand('W'),
    d: (board.dealer ?? 'N').toLowerCase(),
    v: vulnerable,
    b: String(board.number ?? 1),
  });
  return `https://www.bridgebase.com/tools/handviewer.html?${query}`;
}

/** Every card, spade ace first, as in `SA`. */
export const DECK: string[] = SUITS.flatMap((suit) => [...RANKS].map((rank) => suit + rank));

export function cardsOf(hand: Hand): string[] {
  return SUITS.flatMap((suit) => [...hand[suit]].map((rank) => suit + rank));
}

export function handOf(cards: Iterable<string>): Hand {
  const set = new Set(cards);
  const hand = { S: '', H: '', D: '', C: '' };
  for (const card of DECK) if (set.has(card)) hand[card[0] as Suit] += card[1];
  return hand;
}

/** Returns a hand as text for screen readers: "spades ace king two, hearts none, ...". */
export function spoken(hand: Hand): string {
  const words: Record<string, string> = { A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten' };
  return SUITS.map(
    (suit) => `${SUIT_NAMES[suit]} ${[...hand[suit]].map((rank) => words[rank] ?? rank).join(' ') || 'none'}`,
  ).join(', ');
}

/**
 * Returns the cards of a hand in any common notation: `AQ9.K.KJ75.84`, `S KQT4 H Q83 ...`, `♠KQ104 ♥Q83`, `SA SK HQ`.
 */
export function readHand(text: string): { cards: string[]; wrong: string } {
  const clean = text
    .trim()
    .toUpperCase()
    .replaceAll('10', 'T')
    .replace(/[♠♤]/g, 'S')
    .replace(/[♥♡]/g, 'H')
    .replace(/[♦♢]/g, 'D')
    .replace(/[♣♧]/g, 'C')
    .replace(/\uFE0F/g, '');
  if (!clean) return { cards: [], wrong: '' };
  const odd = clean.match(/[^SHDCAKQJT2-9XVOID.,;:\s—–-]/);
  if (odd) return { cards: [], wrong: `${odd[0]} is not a card.` };
  let cards: string[];
  if (/[SHDC]/.test(clean)) {
    // Each rank belongs to the suit before it.
    const words = clean.replace(/VOID/g, '').match(/[SHDC]|[AKQJT2-9]/g) ?? [];
    if (!/^[SHDC]$/.test(words[0] ?? '')) return { cards: [], wrong: 'Begin with a suit, as in S KQ4.' };
    let suit = '';
    cards = [];
    for (const word of words) {
      if (/[SHDC]/.test(word)) suit = word;
      else cards.push(suit + word);
    }
  } else {
    const parts = clean.includes('.') ? clean.replace(/\s+/g, '').split('.') : clean.split(/[\s,;]+/);
    if (parts.length !== 4)
      return { cards: [], wrong: 'Write spades.hearts.diamonds.clubs, as in AQ963.K.KJ752.84, or S AQ963 H K …' };
    if (parts.some((it) => /[^AKQJT2-9—–-]/.test(it))) return { cards: [], wrong: 'Ranks are A K Q J 10 9 … 2.' };
    cards = parts.flatMap((ranks, i) => [...ranks].filter((it) => RANKS.includes(it)).map((rank) => SUITS[i] + rank));
  }
  const twice = cards.find((card, i) => cards.indexOf(card) !== i);
  if (twice) return { cards: [], wrong: `${SUIT_SIGNS[twice[0]]}${twice[1]} is there twice.` };
  return { cards: DECK.filter((card) => cards.includes(card)), wrong: '' };
}

/** Returns a deal in PBN notation, North first. */
export function dealText(hands: Record<SeatName, Hand>): string {
  return `N:${SEATS.map((seat) => handText(hands[seat])).join(' ')}`;
}

/** Returns a hand as a script predeals it: `SAKQ,H2`. */
export function predealText(hand: Hand): string {
  return SUITS.filter((suit) => hand[suit])
    .map((suit) => suit + hand[suit])
    .join(',');
}
