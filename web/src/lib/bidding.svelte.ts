// Practice of bidding: a session of boards, the calls of the reader and of the robots, and the score sheet.

import {
  type BidAnswer,
  type BoardData,
  type CallMeaning,
  Problem,
  type Produced,
  type SeatName,
  type Solved,
} from '../engine';
import { engine } from './app.svelte';
import { turned } from './boards';
import { SEATS } from './cards';
import { fromText, newSeed, runRequest, toText, type Recipe } from './recipe';
import { loadSetting, saveSetting } from './storage';

/** How the reader's side is bid: one seat with a robot as partner, both seats by turns, or a partner elsewhere. */
export const WAYS = {
  one: 'I bid one hand, robots the others',
  both: 'I bid both hands of my side by turns',
  partner: 'My partner bids on another screen and tells me the calls',
} as const;
export type Way = keyof typeof WAYS;

/** Names of the robot's systems. */
export const SYSTEMS: Record<string, string> = { '2/1': '2/1 game forcing', dutch: 'Dutch system (Biedermeijer)' };

/** Number of boards in a session. */
export const SIZES = [8, 16] as const;

/** All choices that determine a session. A link holds them, so that two people bid the same boards. */
export interface BidSettings {
  recipe: Recipe;
  /** Where the deals come from, for the heading. */
  source: string;
  way: Way;
  seat: SeatName;
  system: string;
  size: number;
}

/** A board that was bid. Scores are those of North-South. */
export interface BidRow {
  calls: string[];
  contract: string | null;
  declarer: SeatName | null;
  tricks: number | null;
  score: number;
  par: number;
  imps: number;
  robots: {
    calls: CallMeaning[];
    contract: string | null;
    declarer: SeatName | null;
    score: number;
  };
  /** IMPs above the robots' auction. */
  against: number;
  solved: Solved;
}

/** A finished session in the list of earlier ones. */
export interface BidSheet {
  date: string;
  source: string;
  boards: number;
  /** IMPs of the reader's side above par, and above the robots. */
  imps: number;
  against: number;
}

/** The session in progress, as the browser keeps it. */
interface Kept {
  settings: Omit<BidSettings, 'recipe'> & { recipe: string };
  boards: BoardData[];
  rows: (BidRow | null)[];
  at: number;
  calls: string[];
}

const CURRENT = 'bid';
const SHEETS = 'bid-sheets';
const MOST_SHEETS = 50;

function kept<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(loadSetting(key) ?? 'null') as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export class BidSession {
  settings = $state.raw<BidSettings | null>(null);
  boards = $state.raw<BoardData[]>([]);
  /** Results so far. Boards before the one that a link began with have none. */
  rows = $state.raw<(BidRow | null)[]>([]);
  /** Position of the board on the screen. */
  at = $state(0);
  /** The auction on the board, with meanings. */
  answer = $state.raw<BidAnswer | null>(null);
  busy = $state('');
  problem = $state('');
  sheets = $state.raw<BidSheet[]>(kept<BidSheet[]>(SHEETS, []));
  private work: AbortController | null = null;

  board = $derived<BoardData | null>(this.boards[this.at] ?? null);
  row = $derived<BidRow | null>(this.rows[this.at] ?? null);
  isOver = $derived(this.boards.length > 0 && this.rows.length === this.boards.length);

  /** Seats for which the reader enters calls. */
  get own(): SeatName[] {
    const { way, seat } = this.settings!;
    return way === 'one' ? [seat] : [seat, partnerOf(seat)];
  }

  /** Seat whose hand is shown while the auction goes on. */
  get visible(): SeatName {
    const { way, seat } = this.settings!;
    const turn = this.answer?.turn;
    return way === 'both' && turn && this.own.includes(turn) ? turn : seat;
  }

  /** Brings back the session that the browser kept. */
  async restore(): Promise<void> {
    const found = kept<Kept | null>(CURRENT, null);
    const recipe = found && fromText(found.settings.recipe);
    if (!found || !recipe || !found.boards.length) return;
    this.settings = { ...found.settings, recipe };
    this.boards = found.boards;
    this.rows = found.rows;
    this.at = Math.min(found.at, found.boards.length - 1);
    if (!this.row) await this.bid(found.calls);
  }

  private keep(): void {
    const settings = this.settings && { ...this.settings, recipe: toText(this.settings.recipe) };
    const calls = this.answer?.calls.map((it) => it.call) ?? [];
    const whole = { settings, boards: this.boards, rows: this.rows, at: this.at, calls };
    saveSetting(CURRENT, settings ? JSON.stringify(whole) : 'null');
  }

  /** Ends the session without a result. */
  leave(): void {
    this.work?.abort();
    this.settings = null;
    this.boards = [];
    this.rows = [];
    this.answer = null;
    this.problem = this.busy = '';
    this.keep();
  }

  /** Deals the boards of a session and lets the robots call on the first one. */
  async start(settings: BidSettings, at = 0, calls: string[] = []): Promise<void> {
    const recipe = { ...settings.recipe, seed: settings.recipe.seed || newSeed(), produce: String(settings.size) };
    const boards = await this.working('Dealing…', async (signal) => {
      const found: Produced[] = [];
      await engine().run(
        { ...runRequest(recipe), deals_only: true },
        (event) => {
          if (event.type === 'deals') found.push(...event.deals);
          if (event.type === 'problem') throw new Problem(event.problem);
        },
        signal,
      );
      if (!found.length) throw new Error('No deal satisfies the condition.');
      return found.map((board): BoardData => {
        const { deal, number, dealer, vulnerable } = turned(board, recipe.rotation, recipe.seed, board.ordinal);
        return { deal, number, dealer, vulnerable };
      });
    });
    if (!boards) return;
    this.settings = { ...settings, recipe };
    this.boards = boards;
    this.at = Math.min(at, boards.length - 1);
    this.rows = Array<null>(this.at).fill(null);
    await this.bid(calls);
  }

  private async working<T>(what: string, task: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.work?.abort();
    const own = (this.work = new AbortController());
    this.busy = what;
    this.problem = '';
    try {
      const result = await task(own.signal);
      return own.signal.aborted ? null : result;
    } catch (error) {
      if (!own.signal.aborted) this.problem = (error as Error).message;
      return null;
    } finally {
      if (this.work === own) this.busy = '';
    }
  }

  private auction(calls: string[]) {
    const { dealer, vulnerable } = this.board!;
    return { calls: calls.join(' '), dealer, vulnerable, system: this.settings!.system };
  }

  /** Sets the auction and lets the robots continue it. */
  async bid(calls: string[]): Promise<void> {
    const robots = SEATS.filter((seat) => !this.own.includes(seat)).join('');
    const board = this.board!;
    const answer = await this.working('The robots bid…', (signal) =>
      engine().request('bid', { deal: board.deal, auction: this.auction(calls), robots }, signal),
    );
    if (!answer) return;
    this.answer = answer;
    this.keep();
    if (!answer.turn) await this.finish();
  }

  /** Makes the reader's call. */
  call(call: string): Promise<void> {
    return this.bid([...this.answer!.calls.map((it) => it.call), call]);
  }

  /** Returns to the reader's last turn. */
  takeBack(): Promise<void> | undefined {
    const calls = this.answer?.calls ?? [];
    const last = calls.findLastIndex((it) => this.own.includes(it.seat));
    return last < 0 ? undefined : this.bid(calls.slice(0, last).map((it) => it.call));
  }

  /** Returns the meaning that a call would have now. */
  async meaning(call: string): Promise<CallMeaning | null> {
    const calls = [...this.answer!.calls.map((it) => it.call), call];
    const answer = await this.working('Reading the call…', (signal) =>
      engine().request('infer', { auction: this.auction(calls) }, signal),
    );
    return answer?.calls.at(-1) ?? null;
  }

  /** Solves the board, bids it with robots alone, and enters the result. */
  private async finish(): Promise<void> {
    const board = this.board!;
    const calls = this.answer!.calls;
    const row = await this.working('Solving the board…', async (signal): Promise<BidRow> => {
      const { deal, dealer, vulnerable } = board;
      const solved = await engine().request('solve', { deal, dealer, vulnerable }, signal);
      const ask = (auction: string[], other_score?: number) =>
        engine().request('bid', { deal, auction: this.auction(auction), tricks: solved.tricks, other_score }, signal);
      const robots = await ask([]);
      const own = await ask(
        calls.map((it) => it.call),
        robots.result!.score,
      );
      const { tricks, score, par, imps, imps_against } = own.result!;
      return {
        calls: calls.map((it) => it.call),
        contract: own.contract,
        declarer: own.declarer,
        tricks,
        score,
        par,
        imps,
        robots: {
          calls: robots.calls,
          contract: robots.contract,
          declarer: robots.declarer,
          score: robots.result!.score,
        },
        against: imps_against ?? 0,
        solved,
      };
    });
    if (!row) return;
    this.rows = [...this.rows.slice(0, this.at), row, ...this.rows.slice(this.at + 1)];
    this.keep();
    if (this.isOver) this.enter();
  }

  /** Solves the board again after an error. */
  again(): Promise<void> {
    return this.bid(this.answer?.calls.map((it) => it.call) ?? []);
  }

  /** Shows the next board that was not bid yet. */
  async next(): Promise<void> {
    this.at = this.rows.length;
    this.answer = null;
    await this.bid([]);
  }

  /** Shows a board. */
  async show(at: number): Promise<void> {
    if (this.busy && !this.rows[this.at]) return;
    this.at = at;
    this.answer = null;
    const row = this.rows[at];
    await (row ? this.bidShown(row.calls) : this.bid([]));
  }

  private async bidShown(calls: string[]): Promise<void> {
    const board = this.board!;
    const answer = await this.working('Reading the calls…', (signal) =>
      engine().request('bid', { deal: board.deal, auction: this.auction(calls), robots: '' }, signal),
    );
    if (answer) this.answer = answer;
  }

  /** Enters the finished session into the list of earlier ones. */
  private enter(): void {
    const rows = this.rows.filter((row) => row !== null);
    const total = (of: (row: BidRow) => number) => this.sign * rows.reduce((sum, row) => sum + of(row), 0);
    const sheet: BidSheet = {
      date: new Date().toISOString().slice(0, 10),
      source: this.settings!.source,
      boards: rows.length,
      imps: total((row) => row.imps),
      against: total((row) => row.against),
    };
    this.sheets = [sheet, ...kept<BidSheet[]>(SHEETS, [])].slice(0, MOST_SHEETS);
    saveSetting(SHEETS, JSON.stringify(this.sheets));
  }

  forgetSheets(): void {
    this.sheets = [];
    saveSetting(SHEETS, '[]');
  }

  /** 1 if the reader's side is North-South, otherwise -1: scores are those of North-South. */
  get sign(): number {
    return 'NS'.includes(this.settings?.seat ?? 'N') ? 1 : -1;
  }

  /** The boards with the auctions that were bid, for files. */
  get records(): BoardData[] {
    return this.boards.map((board, i): BoardData => {
      const row = this.rows[i];
      if (!row) return board;
      return {
        ...board,
        tricks: row.solved.tricks,
        record: {
          auction: row.calls.map(pbnCall),
          contract: row.contract ?? undefined,
          declarer: row.declarer ?? undefined,
        },
      };
    });
  }

  /** The session as a link holds it; `seat` is that of the person who opens it. */
  shared(seat: SeatName): string {
    const { recipe, ...rest } = this.settings!;
    const calls = this.row ? [] : (this.answer?.calls.map((it) => it.call) ?? []);
    return JSON.stringify({ ...rest, seat, recipe: toText(recipe), at: this.at, calls });
  }

  /** Starts the session of a link. */
  async open(text: string): Promise<void> {
    const shared = JSON.parse(text) as Partial<Omit<BidSettings, 'recipe'>> & {
      recipe?: string;
      at?: number;
      calls?: string[];
    };
    const recipe = fromText(String(shared.recipe));
    if (!recipe) throw new Error('The link is damaged: no session could be read from it.');
    const settings: BidSettings = {
      recipe,
      source: String(shared.source ?? 'a link'),
      way: shared.way && shared.way in WAYS ? shared.way : 'one',
      seat: SEATS.find((it) => it === shared.seat) ?? 'S',
      system: shared.system && shared.system in SYSTEMS ? shared.system : '2/1',
      size: Math.max(1, Math.min(64, Math.round(Number(shared.size) || SIZES[0]))),
    };
    const calls = Array.isArray(shared.calls) ? shared.calls.map(String) : [];
    await this.start(settings, Math.max(0, Math.round(Number(shared.at) || 0)), calls);
  }
}

export function partnerOf(seat: SeatName): SeatName {
  return SEATS[(SEATS.indexOf(seat) + 2) % 4];
}

/** Returns a call as PBN files have it: `1NT`, `Pass`. */
export function pbnCall(call: string): string {
  return call === 'P' ? 'Pass' : call.replace(/^(\d)N$/, '$1NT');
}

/** The highest contract of a strain that a side makes double dummy; none below seven tricks. */
export function makeable(solved: Solved, side: 'NS' | 'EW'): { level: number; strain: number; seats: string }[] {
  const rows = [...side].map((seat) => ({ seat, tricks: solved.tricks[SEATS.indexOf(seat as SeatName)] }));
  return [4, 3, 2, 1, 0].flatMap((strain) => {
    const most = Math.max(...rows.map((it) => it.tricks[strain]));
    const seats = rows.filter((it) => it.tricks[strain] === most).map((it) => it.seat);
    return most < 7 ? [] : [{ level: most - 6, strain, seats: seats.length === 2 ? '' : seats.join('') }];
  });
}
