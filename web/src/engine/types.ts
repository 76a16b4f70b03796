// Requests and answers, sent over HTTP to `croupier serve` or to the engine inside the page. crates/api has the Rust
// definition of every type.

export type Dialect = 'native' | 'v1' | 'v2';
export type SeatName = 'N' | 'E' | 'S' | 'W';
export type Vulnerability = 'none' | 'ns' | 'ew' | 'both';
/** Rows N E S W, columns clubs, diamonds, hearts, spades, notrump. */
export type TrickRows = number[][];

export interface Diagnostic {
  severity: 'error' | 'warning';
  code: string;
  line: number;
  column: number;
  from: number;
  to: number;
  message: string;
  notes: string[];
  text: string;
  fix?: { title: string; edits: { from: number; to: number; text: string }[] };
}

export interface Settings {
  title: string | null;
  produce: number | null;
  generate: number | null;
  seed: number | null;
  dealer: SeatName | null;
  vulnerable: Vulnerability | null;
  condition: boolean;
  variables: string[];
}

export interface Word {
  word: string;
  kind: 'function' | 'statement' | 'action' | 'operator' | 'name';
  usage: string;
  meaning: string;
}

export interface Scenario {
  name: string;
  title: string;
  description: string;
  group: string;
  script: string;
  frequency: { exact: boolean; fraction?: [string, string]; probability: number } | null;
}

export interface BoardData {
  deal: string;
  number?: number;
  dealer?: SeatName;
  vulnerable?: Vulnerability;
  tricks?: TrickRows;
  event?: string;
}

/** A produced deal. */
export interface Produced extends BoardData {
  /** Number among the generated deals, from 0. */
  index: number;
  /** Number among the produced deals, from 1. */
  ordinal: number;
  values: number[];
}

export interface Odds {
  exact: boolean;
  probability: number;
  low: number;
  high: number;
  count: string;
  out_of: string;
  unit: string;
  fraction: [string, string] | null;
  decimal: string | null;
  one_in: string | null;
  passed: number | null;
  tried: number | null;
  averages: { action: number; label: string | null; mean: number; deviation: number }[];
  tables: {
    action: number;
    label: string | null;
    rows: [number | null, number | null][];
    columns: [number | null, number | null][];
    probabilities: number[];
  }[];
}

export interface Explained {
  deals: number;
  accepted: number;
  parts: { text: string; reached: number; passed: number; value: number | null }[];
  variables: { name: string; value: number | null }[];
}

export interface Solved {
  tricks: TrickRows;
  par: number;
  contracts: { contract: string; declarers: string; result: string }[];
}

export interface Playing {
  turn: SeatName | null;
  trick: { seat: SeatName; card: string }[];
  declarer: number;
  defence: number;
  cards: { card: string; tricks: number; cost: number }[];
  winners: SeatName[];
}

export interface Interval {
  value: number;
  /** Nothing if the sample determines no interval, as a single deal does. */
  low: number | null;
  high: number | null;
}

/** Stopping rule of a study, and the number of deals it uses. */
export interface StudyOptions {
  precision?: string;
  number?: number;
  control?: number;
}

export interface StudyPlan {
  plan: string;
  /** Number of deals that may be solved, from the first one on. */
  candidates: number;
}

/** The place of a portion in a study with a plan. */
export interface Portion {
  plan?: string;
  first?: number;
}

/** Tricks of each deal (empty if the plan does not select it), and the bounds that its screening found. */
export interface Rows {
  tricks: number[][];
  bounds: [number, number][][];
}

/** Rows of a study; with a plan also their deals and bounds. */
export interface PlannedRows {
  tricks: number[][];
  bounds?: [number, number][][];
  plan?: string;
  deals?: string[];
}

/** Progress of a study: `complete` when it has reached its precision or its number of deals. */
export interface StudyState {
  screened: number;
  complete: boolean;
}

export interface LeadWorth {
  cards: string;
  tricks: Interval;
  sets: Interval;
  score: Interval;
  imps: Interval;
  matchpoints: Interval;
}

export interface ContractWorth {
  contract: string;
  tricks: Interval;
  made: Interval;
  score: Interval;
  imps: Interval[];
  matchpoints: Interval[];
  histogram: number[];
}

export interface ValueNumber {
  whose: string;
  valuation: string;
  part: string;
  suit: string | null;
  value: number;
  scale: number;
}

export interface Shapes {
  count: number;
  hands: number;
  out_of: number;
  probability: number;
  classic: string;
  shapes: { lengths: [number, number, number, number]; hands: number }[];
  warnings: string[];
}

export interface Equity {
  exact: boolean;
  algorithm: string;
  deals: string;
  players: { range: string; equity: number; win: number; tie: number; within: number | null }[];
}

export interface RangeData {
  hands: number;
  share: number;
  classes: { row: number; column: number; weight: number }[];
}

export interface Class {
  low: number | null;
  high: number | null;
}

export type Table = { title: string; action: number } & (
  | {
      kind: 'average';
      count: number;
      mean: number | null;
      deviation: number | null;
      interval: [number, number] | null;
    }
  | { kind: 'frequency'; axis: string; bins: Class[]; counts: number[]; intervals: [number, number][]; total: number }
  | {
      kind: 'grid';
      row_axis: string;
      column_axis: string;
      rows: Class[];
      columns: Class[];
      counts: number[];
      intervals: [number, number][];
      total: number;
    }
  | {
      kind: 'contract';
      contract: string;
      side: 'NS' | 'EW';
      vulnerable: boolean;
      counts: number[];
      made: number;
      made_interval: [number, number] | null;
      intervals: [number, number][];
      score: number | null;
      score_interval: [number, number] | null;
    }
);

/** Request and answer of every endpoint. */
export interface Endpoints {
  check: {
    request: { script: string; dialect?: Dialect };
    answer: { diagnostics: Diagnostic[]; settings: Settings | null };
  };
  words: { request: Record<string, never>; answer: { words: Word[] } };
  scenarios: { request: Record<string, never>; answer: { scenarios: Scenario[] } };
  probability: { request: { script: string; dialect?: Dialect }; answer: Odds };
  explain: { request: { script: string; dialect?: Dialect; deals?: number; deal?: string }; answer: Explained };
  solve: { request: { deal: string; vulnerable?: Vulnerability; tricks?: TrickRows }; answer: Solved };
  play: { request: { deal: string; declarer: string; strain: string; played: string[] }; answer: Playing };
  'lead-plan': {
    request: { deals: string[]; contract: string; hand: string; vulnerable?: Vulnerability } & StudyOptions;
    answer: StudyPlan;
  };
  leads: {
    request: { deals: string[]; contract: string; vulnerable?: Vulnerability; sets_only?: boolean } & Portion;
    answer: { cards: string[][] } & Rows;
  };
  'lead-results': {
    request: { hand: string; contract: string; vulnerable?: Vulnerability; sets_only?: boolean } & PlannedRows;
    answer: { layouts: number; leads: LeadWorth[]; sets: { cards: string; sets: Interval }[] } & StudyState;
  };
  'contract-plan': {
    request: { deals: string[]; contracts: string[]; vulnerable?: Vulnerability } & StudyOptions;
    answer: StudyPlan;
  };
  tricks: { request: { deals: string[]; contracts: string[]; vulnerable?: Vulnerability } & Portion; answer: Rows };
  'contract-results': {
    request: { contracts: string[]; vulnerable?: Vulnerability } & PlannedRows;
    answer: { deals: number; contracts: ContractWorth[] } & StudyState;
  };
  value: { request: { cards: string[]; opener?: string }; answer: { numbers: ValueNumber[] } };
  shapes: { request: { pattern: string }; answer: Shapes };
  equity: { request: { game?: string; ranges: string[]; board: string; dead: string }; answer: Equity };
  matrix: {
    request: { classes: string[]; range: string; against: string[]; board: string; dead: string };
    answer: { equities: (number | null)[] };
  };
  range: { request: { range: string }; answer: RangeData };
  read: {
    request: { base64?: string; text?: string };
    answer: { format: string; boards: BoardData[]; problems: string[] };
  };
  write: {
    request: { format: string; boards: BoardData[]; title?: string };
    answer: { ending: string; base64: string };
  };
  form: { request: { profile: string }; answer: { script: string; warnings: string[] } };
}

export type Endpoint = keyof Endpoints;

export interface RunRequest {
  script: string;
  dialect?: Dialect;
  /** A number, or `key:` and hexadecimal digits; without it a random key is chosen. */
  seed?: string;
  produce?: number;
  generate?: number;
  /** Cards that a seat must have, as in `SAKQ,H2`. */
  predeal?: Partial<Record<SeatName, string>>;
  /** Shares of classes, as in `Game=2,Slam=1`. */
  level?: string;
  /** Further scripts to mix with this one, and the shares of all scripts, beginning with this one. */
  mix?: { scripts: string[]; shares: number[] };
  /** Whether to omit the tables of the script and return only deals. */
  deals_only?: boolean;
}

export type RunEvent =
  | { type: 'start'; seed: string; title: string; columns: string[]; warnings: Diagnostic[]; produce: number | null }
  | { type: 'progress'; generated: number; produced: number }
  | { type: 'deals'; deals: Produced[] }
  | { type: 'end'; ended: string; generated: number; produced: number; seconds: number; tables: Table[]; text: string }
  | { type: 'problem'; problem: ProblemData };

export interface ProblemData {
  kind: 'request' | 'script' | 'limit' | 'run' | 'busy' | 'connection';
  message: string;
  diagnostics?: Diagnostic[];
}

/** An error that the engine reported. */
export class Problem extends Error {
  constructor(readonly data: ProblemData) {
    super(data.message);
  }
}

/** The interface of both engines: `croupier serve`, and WebAssembly workers. */
export interface Engine {
  readonly kind: 'server' | 'browser';
  /** Number of requests that it processes at a time. */
  readonly workers: number;
  /** Description of the place where it runs. */
  readonly place: string;
  /** Sends a request; throws a [`Problem`], or an `AbortError` when the signal fires. */
  request<E extends Endpoint>(
    endpoint: E,
    body: Endpoints[E]['request'],
    signal?: AbortSignal,
  ): Promise<Endpoints[E]['answer']>;
  /** Runs a script; resolves when the run has ended, after its last event. */
  run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void>;
}
