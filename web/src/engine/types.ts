// Requests and answers, sent over HTTP to `croupier serve` or to the engine inside the page.
// Made from the Rust types of crates/api; do not edit it. To write it anew:
// cargo run -p croupier-api --features openapi --example types

/** An auction in a request, and the systems in which it was bid. */
export interface AuctionRequest {
  /** The calls in order, such as `1N-P-3N-P-P-P`. */
  calls: string;
  /** Seat that called first. Default: `N`. */
  dealer?: SeatName;
  /** Vulnerable sides. Default: `none`. */
  vulnerable?: Vulnerability;
  /** System of all players, or of North-South if `ew` is given: `2/1` or `dutch`. Default: `2/1`. */
  system?: string;
  /** System of East-West. Default: that of North-South. */
  ew?: string;
}

/** The value of a complete auction. */
export interface AuctionResult {
  /** Declarer's tricks, double dummy; null if the board was passed out. */
  tricks: number | null;
  /** Score of North-South. */
  score: number;
  /** Par score of North-South. */
  par: number;
  /** IMPs of North-South above par. */
  imps: number;
  /** IMPs of North-South above the other table; null if its score is not in the request. */
  imps_against: number | null;
}

/** An auction with the meaning of each call. */
export interface BidAnswer {
  /** All calls, those of the request first. */
  calls: CallMeaning[];
  /** Seat that calls next; null when the auction is over. */
  turn: SeatName | null;
  /** The calls that the seat may make. */
  legal: string[];
  /** Contract, such as `4Sx`; null if there is no bid. */
  contract: string | null;
  /** Declarer; null if there is no bid. */
  declarer: SeatName | null;
  /** The value of the contract; null while the auction goes on, and without double-dummy results. */
  result: AuctionResult | null;
}

/** A request for calls of robots: a deal, the auction so far, and the seats for which they call. */
export interface BidRequest {
  /** The deal, as in PBN. */
  deal: string;
  /** The calls so far, dealer, vulnerability and systems. */
  auction: AuctionRequest;
  /** Seats for which robots call, such as `NEW`. They call until another seat has the turn. Default: all. */
  robots?: string;
  /**
   * Double-dummy results of the deal: rows N E S W, columns clubs, diamonds, hearts, spades, notrump. With them a
   * complete auction has a result.
   */
  tricks?: number[][];
  /** Score of North-South at another table, to compare with. */
  other_score?: number;
}

/** A deal with the data of its board. */
export interface BoardData {
  /** The four hands, as in PBN: `N:AKQ2.KJ3.A74.952 ...`. */
  deal: string;
  /** Number of the board. */
  number?: number;
  /** Dealer: `N`, `E`, `S` or `W`. */
  dealer?: SeatName;
  /** Vulnerable sides: `none`, `ns`, `ew` or `both`. */
  vulnerable?: Vulnerability;
  /** Twenty double-dummy results: rows N E S W, columns clubs to notrump. */
  tricks?: number[][];
  /** Name of the event. */
  event?: string;
  /** Players, North first, if they are known. */
  players?: string[];
  /** Auction, contract, result and play, if there are any. */
  record?: RecordData;
  /** Notes on the board, in order. */
  comments?: string[];
  /**
   * The board as PBN with everything that its file had. `write` keeps what the other fields do not replace. Send it
   * back unchanged.
   */
  pbn?: string;
}

/** Explanation of a call. */
export interface CallExplanation {
  /** Position of the call in the auction, from 0. */
  call: number;
  /** Text; empty for an alert alone. */
  text: string;
}

/** A call and its meaning. */
export interface CallMeaning {
  /** The caller. */
  seat: SeatName;
  /** The call, such as `1N`, `P`, `X` or `XX`. */
  call: string;
  /** The meaning in words; empty if the call shows nothing. */
  meaning: string;
  /** Whether the call is conventional. */
  alert: boolean;
}

/** A card that may be played next. */
export interface CardCost {
  /** The card. */
  card: string;
  /** Declarer's total tricks after this card, with best play by all. */
  tricks: number;
  /** Number of tricks that the card gives away. */
  cost: number;
}

/** Two cards of a suit whose exchange changes the result. */
export interface CardExchange {
  /** The higher card. */
  card: string;
  /** Seat that holds it, or has played it to the current trick. */
  seat: SeatName;
  /** The next lower card that is left. */
  lower: string;
  /** Seat that holds the lower card, or has played it to the current trick. */
  lower_seat: SeatName;
  /** Declarer's total tricks after the exchange. */
  tricks: number;
}

/** A request to check a script. */
export interface Check {
  /** Text of the script. */
  script: string;
  /** Dialect of the script. */
  dialect?: Dialect;
  /** Files that the script may import: name and text. */
  imports?: Partial<Record<string, string>>;
  /** Texts for `$0` to `$9`. */
  variables?: Partial<Record<string, string>>;
}

/** Result of a check. */
export interface Checked {
  /** Errors and warnings, errors first. */
  diagnostics: Diagnostic[];
  /** Settings, if the script has no errors. */
  settings: ScriptSettings | null;
}

/** A class of starting hands and the part of it in a range. */
export interface ClassData {
  /** Row of the grid: 0 for aces. */
  row: number;
  /** Column of the grid: 0 for aces. */
  column: number;
  /** Weight of the class's hands in the range. */
  weight: number;
}

/** A part of the condition. */
export interface Clause {
  /** Source text of the part. */
  text: string;
  /** Number of deals that passed all parts before this one. */
  reached: number;
  /** Number of deals of `reached` that passed this part. */
  passed: number;
  /** Value of the part for the given deal. */
  value: number | null;
}

/** A request for the plan of a study of contracts. */
export interface ContractPlanRequest {
  /** All deals, as in PBN. Half of them may be solved, the others make the intervals narrower. */
  deals: string[];
  /** Contracts with declarers, `4S-N`. */
  contracts: string[];
  /** Vulnerable sides: `none`, `ns`, `ew` or `both`. */
  vulnerable?: Vulnerability;
  /** Half the width of the 95 % interval at which the study stops: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`. */
  precision?: string;
  /** Largest number of deals to solve. */
  number?: number;
  /** Number of deals in all; only the first ones of `deals` are used. Default: all. */
  control?: number;
}

/** The results of all contracts. */
export interface ContractResults {
  /** Number of solved deals. */
  deals: number;
  /** Number of deals that short searches screened, including the solved ones. */
  screened: number;
  /** Whether the study has reached its precision or its number of deals. Rows after that point are ignored. */
  complete: boolean;
  /** Contracts, in the order of the request. */
  contracts: ContractWorth[];
}

/** A request for the results of a comparison of contracts, with the rows of all deals. */
export interface ContractResultsRequest {
  /** Contracts, in the order of the numbers. */
  contracts: string[];
  /** Vulnerable sides. */
  vulnerable?: Vulnerability;
  /** For each deal the tricks in each contract, as `tricks` returns them. */
  tricks: number[][];
  /** Plan of the study, if it has one. */
  plan?: string;
  /** With a plan: the deals of the rows, the first ones of all. */
  deals?: string[];
  /** With a plan: bounds of each deal, as `tricks` returns them. */
  bounds?: [number, number][][];
}

/** The declarer's tricks in each contract, for each deal. */
export interface ContractTricks {
  /** A row for each deal; empty for a deal that the plan does not select. */
  tricks: number[][];
  /** With a plan: bounds of the tricks in each contract. Send them with the results. */
  bounds: [number, number][][];
}

/** The result of one contract. */
export interface ContractWorth {
  /** Contract and declarer: `4S by N`. */
  contract: string;
  /** Tricks of declarer. */
  tricks: Estimate;
  /** Share of the deals on which the contract makes, 0 to 1. */
  made: Estimate;
  /** Score of the side that declares the first contract. */
  score: Estimate;
  /** IMPs per board against each contract. */
  imps: Estimate[];
  /** Share of the matchpoints against each contract. */
  matchpoints: Estimate[];
  /** Number of deals for each number of tricks, 0 to 13. With a plan the deals count by their weights. */
  histogram: number[];
  /** Share of the deals for each number of tricks, 0 to 13. */
  shares: Estimate[];
}

/** The cards that decide the result. */
export interface Deciding {
  /** Declarer's total tricks with best play by all. */
  tricks: number;
  /** Cards whose ranks matter. All other cards of a suit can change places. */
  cards: string[];
  /** Exchanges of two adjacent cards that change the result. */
  swings: CardExchange[];
}

/** A message about a place in the script. */
export interface Diagnostic {
  /** Severity: an error prevents the script from running, a warning does not. */
  severity: Severity;
  /** Code of the message, such as `E203`. */
  code: string;
  /** Line, from 1. */
  line: number;
  /** Column, from 1. */
  column: number;
  /** Offset of the first marked UTF-16 unit of the script. */
  from: number;
  /** Offset after the last marked unit. */
  to: number;
  /** Description of the fault and how to correct it. */
  message: string;
  /** Additional notes. */
  notes: string[];
  /** The message as printed on a terminal, with the source line and a caret. */
  text: string;
  /** A repair, if one is known. */
  fix?: Fix;
}

/** Name of a dialect of the script language. */
export type Dialect = 'native' | 'v1' | 'v2' | 'exe' | 'dealer3';

/** A replacement of a part of the script. */
export interface Edit {
  /** Offset of the first replaced UTF-16 unit. */
  from: number;
  /** Offset after the last replaced unit. */
  to: number;
  /** New text. */
  text: string;
}

/** Results of all players. */
export interface Equity {
  /** Whether all deals were counted. */
  exact: boolean;
  /** Name of the algorithm. */
  algorithm: string;
  /** Total weight of the deals. */
  deals: string;
  /** Players, in the order of the request. */
  players: PlayerData[];
}

/** A request for the equities of players: their ranges and the board. */
export interface EquityRequest {
  /** Game. Default: `holdem`. */
  game?: GameName;
  /** Ranges of two to ten players. */
  ranges: string[];
  /** Board: up to five cards. */
  board?: string;
  /** Dead cards, which no player can have. */
  dead?: string;
  /** Ranges of players who have folded. They take cards from the deck. */
  folded?: string[];
  /** Seed of the random deals, if not all deals are counted. */
  seed?: number;
}

/** A value with its 95 % confidence interval. */
export interface Estimate {
  /** Value in the sample. */
  value: number;
  /** Lower end; null if the sample determines no interval, as for a single deal. */
  low: number | null;
  /** Upper end; null if the sample determines no interval. */
  high: number | null;
}

/** A frequency table without sampling error. */
export interface ExactFrequency {
  /** Number of the action in the script. */
  action: number;
  /** Label of the action. */
  label: string | null;
  /** Lowest and highest value of each row; null where the row is open. */
  rows: [number | null, number | null][];
  /** Lowest and highest value of each column; null where the column is open. */
  columns: [number | null, number | null][];
  /** Probabilities, row by row. */
  probabilities: number[];
}

/** An average without sampling error. */
export interface ExactMean {
  /** Number of the action in the script. */
  action: number;
  /** Label of the action. */
  label: string | null;
  /** Mean. */
  mean: number;
  /** Standard deviation. */
  deviation: number;
}

/** A request to explain the condition of a script, for a sample of deals or for one deal. */
export interface Explain {
  /** Text of the script. */
  script: string;
  /** Dialect of the script. */
  dialect?: Dialect;
  /** Files that the script may import: name and text. */
  imports?: Partial<Record<string, string>>;
  /** Texts for `$0` to `$9`. */
  variables?: Partial<Record<string, string>>;
  /** Number of deals to try. */
  deals?: number;
  /** Explain the condition for this deal instead of a sample. */
  deal?: string;
}

/** Explanation of a condition. */
export interface Explained {
  /** Number of deals tried. */
  deals: number;
  /** Number of deals that passed all parts. */
  accepted: number;
  /** Parts in the order of evaluation. */
  parts: Clause[];
  /** Variables of the script for the given deal. */
  variables: NamedValue[];
}

/** Content of a file. */
export interface FileData {
  /** Name of the detected format. */
  format: string;
  /** Boards that could be read. */
  boards: BoardData[];
  /** Messages about the boards that could not be read. */
  problems: string[];
}

/** A change of the text that repairs a fault. */
export interface Fix {
  /** Description of the change. */
  title: string;
  /** Replacements, in order of position. */
  edits: Edit[];
}

/** A request for the script of a seat profile. */
export interface Form {
  /** The profile, in JSON or TOML. */
  profile: string;
}

/** A profile in the dealer language. */
export interface FormScript {
  /** The script. */
  script: string;
  /** Warnings about the profile. */
  warnings: string[];
}

/** A format of files of deals. */
export interface FormatData {
  /** Name. */
  name: FormatName;
  /** Short text for a button. */
  label: string;
  /** Description in a few words. */
  about: string;
  /** Ending of file names. */
  ending: string;
  /** Whether the request `read` accepts the format. */
  reads: boolean;
  /** Whether the request `write` can make the format. */
  writes: boolean;
}

/** Name of a file format. */
export type FormatName =
  | 'pbn'
  | 'lin'
  | 'oneline'
  | 'compact'
  | 'all'
  | 'zrd'
  | 'dl52'
  | 'csv'
  | 'json'
  | 'dup'
  | 'bri'
  | 'dge'
  | 'dlm'
  | 'bbo'
  | 'pdf';

/** All formats of files of deals. */
export interface Formats {
  /** Formats. */
  formats: FormatData[];
  /** Maximum number of boards in one file. */
  boards: number;
  /** Maximum length in bytes of a file to read. */
  bytes: number;
}

/** A poker game. */
export interface GameData {
  /** Name. */
  name: GameName;
  /** Name as players write it. */
  title: string;
  /** Description in a few words. */
  about: string;
  /** A range of hands of the game. */
  example: string;
  /** Number of a player's own cards at the showdown. */
  hole_cards: number;
  /** Number of cards on a complete board: five, or none in the games without a board. */
  board_cards: number;
}

/** Name of a poker game. */
export type GameName =
  | 'holdem'
  | 'omaha'
  | 'omaha5'
  | 'omaha6'
  | 'omaha-hi-lo'
  | 'omaha5-hi-lo'
  | 'short-deck'
  | 'stud'
  | 'stud-hi-lo'
  | 'razz'
  | '2-7'
  | 'a-5'
  | 'badugi';

/** All poker games. */
export interface Games {
  /** Games, the usual one first. */
  games: GameData[];
}

/** The hands of a text. */
export interface HistoryAnswer {
  /** Hands, in order. */
  hands: HistoryHand[];
}

/** A decision. */
export interface HistoryDecisionData {
  /** Name of the round, such as `flop`. */
  street: string;
  /** Cards on the board. */
  board: string;
  /** Number of the player who decides, from 0. */
  player: number;
  /** `fold`, `check`, `call`, `bet`, `raise` or `draw`. */
  action: string;
  /** The decision in words, such as `raises to 12`. */
  words: string;
  /** Chips bet so far. */
  pot: number;
  /** Chips that a call costs. */
  to_call: number;
  /** Share of the pot that a call needs; null if there is nothing to call. */
  needed: number | null;
  /** Share of the pot of the player who decides; null if it is not known. */
  equity: number | null;
  /** Players in the hand with their equities; empty if they are not known. */
  players: HistoryShare[];
  /** Reason why there are no equities; null if there are. */
  missing: string | null;
}

/** A hand with its decisions. */
export interface HistoryHand {
  /** Number or name of the hand; null if the text has none. */
  name: string | null;
  /** Game. */
  game: string;
  /** Players, in the order of the text. */
  players: HistorySeat[];
  /** Decisions, in order. */
  decisions: HistoryDecisionData[];
}

/** A request for the decisions of played hands and their equities. */
export interface HistoryRequest {
  /** One or more hands in the format PHH or Open Hand History. */
  text: string;
  /** Player who sees no cards of others: a name, or `p1`, `p2` and so on. Default: all cards that the text shows are known. */
  hero?: string;
  /** Ranges of players whose cards are not known; any hand for the others. */
  ranges?: PlayerRange[];
  /** Seed of the random deals, if not all deals are counted. */
  seed?: number;
}

/** A player of a hand. */
export interface HistorySeat {
  /** Name. */
  name: string;
  /** Chips before the hand; null if unknown. */
  stack: number | null;
}

/** A player who is in the hand at a decision. */
export interface HistoryShare {
  /** Number of the player among the players of the hand, from 0. */
  player: number;
  /** Cards that the text has shown so far. */
  cards: string;
  /** Share of the pot, 0 to 1. */
  equity: number;
  /** 95 % interval of the share; null if it is exact. */
  interval: [number, number] | null;
}

/** A request for the hands that an auction shows, with hands that are known. */
export interface InferRequest {
  /** The auction. */
  auction: AuctionRequest;
  /** Known hands as in PBN: North, East, South, West. The script has no condition for their seats. */
  hands?: (string | null)[];
}

/** A request for tables of the hands that an auction shows. */
export interface InferTablesRequest {
  /** The auction. */
  auction: AuctionRequest;
  /** Known hands as in PBN: North, East, South, West. */
  hands?: (string | null)[];
  /** Whether to tabulate who has the aces, kings and queens. */
  honours?: boolean;
  /** Number of layouts to deal, at most 1,000. */
  layouts?: number;
  /** Seed of the layouts and of measured tables. Default: 1. */
  seed?: number;
}

/** The hands that an auction shows. */
export interface Inferred {
  /** The calls with their meanings. */
  calls: CallMeaning[];
  /** The condition on each hand, North first; none if the seat's calls show nothing. */
  conditions: (string | null)[];
  /** Script whose deals fit the auction. Use it for a run, a study or a plan. */
  script: string;
  /** Contract and declarer, such as `3N-N`, if the auction has a bid. */
  contract?: string;
}

/** How often each value of a property comes among the hands of a seat. */
export interface InferredTable {
  /** Owner of the hand. */
  seat: SeatName;
  /** The property: `HCP`, `spades`, `hearts`, `diamonds`, `clubs`, or a card such as `KS`, of which 1 means that the hand has it. */
  quantity: string;
  /** The values that come, with their shares from 0 to 1. */
  shares: [number, number][];
  /** Whether the shares were counted; otherwise they are those of dealt hands. */
  exact: boolean;
}

/** The hands that fit an auction, in numbers. */
export interface InferredTables {
  /** Share of the deals that fit, among all deals with the known hands. */
  share: number;
  /** Lower end of the 95 % interval of the share; the share itself if it was counted. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** Whether the share was counted. */
  exact: boolean;
  /** The tables: points and lengths of each unknown hand, then the honours. */
  tables: InferredTable[];
  /** Number of deals on which tables were measured; none if all tables were counted. */
  measured?: number;
  /** Layouts in PBN, drawn uniformly from the deals that fit. */
  layouts: string[];
}

/** All words of the language. */
export interface LanguageWords {
  /** Words. */
  words: Word[];
}

/** A request for the plan of a study of opening leads. */
export interface LeadPlanRequest {
  /** All layouts, as in PBN. Half of them may be solved, the others make the intervals narrower. */
  deals: string[];
  /** Contract and declarer, `3N-S`. */
  contract: string;
  /** Leader's hand, `KQJ4.T9.A2.87632`. */
  hand: string;
  /** Vulnerable sides: `none`, `ns`, `ew` or `both`. */
  vulnerable?: Vulnerability;
  /** Half the width of the 95 % interval at which the study stops: `0.5%`, `0.05 tricks`, `0.2 imps`, `5 points`. */
  precision?: string;
  /** Largest number of layouts to solve. */
  number?: number;
  /** Number of layouts in all; only the first ones of `deals` are used. Default: all. */
  control?: number;
}

/** The results of all leads, best first. */
export interface LeadResults {
  /** Number of solved layouts. */
  layouts: number;
  /** Number of layouts that short searches screened, including the solved ones. */
  screened: number;
  /** Whether the study has reached its precision or its number of layouts. Rows after that point are ignored. */
  complete: boolean;
  /** Leads; empty with `sets_only`. */
  leads: LeadWorth[];
  /** Leads of a study with `sets_only`. */
  sets: LeadSets[];
}

/** A request for the results of a study of leads, with the rows of all layouts. */
export interface LeadResultsRequest {
  /** Leader's hand, `KQJ4.T9.A2.87632`. */
  hand: string;
  /** Contract and declarer. */
  contract: string;
  /** Vulnerable sides. */
  vulnerable?: Vulnerability;
  /** For each layout the tricks after each card, spade ace first, as `leads` returns them. */
  tricks: number[][];
  /** Whether the rows come from `leads` with `sets_only`. */
  sets_only?: boolean;
  /** Plan of the study, if it has one. */
  plan?: string;
  /** With a plan: the layouts of the rows, the first ones of all. */
  deals?: string[];
  /** With a plan: bounds of each layout, as `leads` returns them. */
  bounds?: [number, number][][];
}

/** The share of the layouts on which one lead beats the contract. */
export interface LeadSets {
  /** Lead and the cards in sequence with it: `SKQJ`. */
  cards: string;
  /** Share of the layouts on which the contract goes down, 0 to 1. */
  sets: Estimate;
}

/** The defence's tricks after every card of the leader, for each layout. */
export interface LeadTricks {
  /** The leader's cards, as in `SA`, in the order of the tricks; equal for all layouts with one leader's hand. */
  cards: string[][];
  /**
   * Tricks of the defence. With `sets_only`: 1 for a card that beats the contract, otherwise 0. Empty for a layout
   * that the plan does not select.
   */
  tricks: number[][];
  /** With a plan: bounds of the tricks after each lead. Send them with the results. */
  bounds: [number, number][][];
}

/** The result of one lead. */
export interface LeadWorth {
  /** Lead and the cards in sequence with it: `SKQJ`. */
  cards: string;
  /** Tricks of the defence. */
  tricks: Estimate;
  /** Share of the layouts on which the contract goes down, 0 to 1. */
  sets: Estimate;
  /** Score of the defenders. */
  score: Estimate;
  /** IMPs per board against the other leads. */
  imps: Estimate;
  /** Share of the matchpoints against the other leads, 0 to 1. */
  matchpoints: Estimate;
}

/** A request for the tricks after each opening lead in some layouts. */
export interface LeadsRequest {
  /** Layouts, as in PBN. */
  deals: string[];
  /** Contract and declarer, `3N-S`. */
  contract: string;
  /** Vulnerable sides; only a plan needs them. */
  vulnerable?: Vulnerability;
  /** Whether to compute only which leads beat the contract, which is several times faster. */
  sets_only?: boolean;
  /** Plan of the study, if it has one. */
  plan?: string;
  /** With a plan: place of the first of these layouts among all, from 0. */
  first?: number;
}

/** A card of the principal line. */
export interface LineCard {
  /** Seat that plays the card. */
  seat: SeatName;
  /** The card. */
  card: string;
  /** The other cards that are as good, spade ace first. */
  as_good: string[];
}

/** The equity of each class. */
export interface Matrix {
  /** Equities in the order of the request; null for a class without a possible hand. */
  equities: (number | null)[];
}

/** A request for the equities of classes of starting hands against the opponents' ranges. */
export interface MatrixRequest {
  /** Classes, such as `AKs`. Each is valued against the opponents' ranges. */
  classes: string[];
  /** Range to which the classes belong. Only hands of this range count. */
  range: string;
  /** Opponents' ranges. */
  against: string[];
  /** Board: up to five cards. */
  board?: string;
  /** Dead cards, which no player can have. */
  dead?: string;
  /** Ranges of players who have folded. */
  folded?: string[];
}

/** Scripts to mix with the first one. */
export interface Mix {
  /** Texts of the scripts. */
  scripts: string[];
  /** Names of all scripts, the first script's first; boards are marked with them. Default: numbers. */
  names?: string[];
  /** Shares of all scripts, the first script's first. */
  shares: number[];
}

/** A variable of the script and its value for a deal. */
export interface NamedValue {
  /** Name of the variable. */
  name: string;
  /** Value, if it could be computed. */
  value: number | null;
}

/** A request without parameters. */
export type Nothing = Record<string, never>;

/** Probability of a condition. */
export interface Odds {
  /** Whether the probability is exact; otherwise a part of the condition was tried on random deals. */
  exact: boolean;
  /** Probability. */
  probability: number;
  /** Lower end of the 95 % confidence interval; equal to the probability if it is exact. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** Number of deals or hands that satisfy the condition, in digits; an upper bound if not exact. */
  count: string;
  /** Number of all deals or hands. */
  out_of: string;
  /** Name of the counted items. */
  unit: string;
  /** Numerator and denominator in lowest terms, if exact. */
  fraction: [string, string] | null;
  /** Probability with twenty digits, if exact. */
  decimal: string | null;
  /** Reciprocal of the probability, if it is not zero. */
  one_in: string | null;
  /** Number of tried deals that satisfied the part that cannot be counted. */
  passed: number | null;
  /** Number of deals tried. */
  tried: number | null;
  /** Exact averages of the script. */
  averages: ExactMean[];
  /** Exact frequency tables of the script. */
  tables: ExactFrequency[];
}

/** A contract that reaches par. */
export interface ParText {
  /** Contract in the usual notation: `4Sx`. A part score is at the level that it makes. */
  contract: string;
  /** Declarers who can play the contract: `N`, `EW`, ... */
  declarers: string;
  /** Over- or undertricks: `=`, `+1`, `-2`. */
  result: string;
}

/** A request for the plays of declarer: two hands, a contract and the cards played so far. */
export interface PlanRequest {
  /** Declarer's hand, as in PBN. */
  declarer: string;
  /** Dummy. */
  dummy: string;
  /** Contract and declarer, such as `4S-S`. Default: that of the auction. */
  contract?: string;
  /** The cards played so far, such as `HK`, the opening lead first. */
  played?: string[];
  /** Condition on the deal, such as `spades(west) >= 5`. */
  condition?: string;
  /** Script with a condition on the deal, instead of `condition`. */
  script?: string;
  /** Auction whose meaning is the condition on the deal, instead of `condition`. */
  auction?: AuctionRequest;
  /** Number of declarer's cards to search before double-dummy results decide, 1 to 5. Default: 2. */
  depth?: number;
  /** Number of layouts of the defenders' cards for a decision, 1 to 256. Default: 60; 20 for playouts. */
  worlds?: number;
  /** Number of layouts on which the whole hand is played, to estimate the value of the contract. Default: none. */
  playouts?: number;
  /** Seed of the layouts. Default: 1. */
  seed?: number;
}

/** The ranked plays, and the value of the contract. */
export interface Planned {
  /** The plays, best first. None if a defender plays the next card. */
  plays: PlannedPlay[];
  /** The value of the contract, if playouts were requested. */
  value?: PlayoutValue;
  /** Number of different layouts of the ranked plays. */
  worlds: number;
  /** Number of declarer's cards that were searched. */
  depth: number;
  /** Whether the search went to the last card. */
  exact: boolean;
}

/** A card that declarer can play, with its equal cards. */
export interface PlannedPlay {
  /** The equal cards, such as `SK`. */
  cards: string[];
  /** Chance that the contract makes, 0 to 1. */
  made: Estimate;
  /** Share of the layouts in which the contract makes double dummy after the card. */
  double_dummy: number;
  /** Average tricks of declarer, double dummy. */
  tricks: number;
}

/** A request for the tricks after each card of a position in the play. */
export interface Play {
  /** The deal, as in PBN. */
  deal: string;
  /** Seat of declarer. */
  declarer: string;
  /** Strain: `C`, `D`, `H`, `S` or `N`. */
  strain: string;
  /** The cards played so far, as in `SA`, the opening lead first. */
  played?: string[];
}

/** A card of the current trick. */
export interface PlayedCard {
  /** Seat that played the card. */
  seat: SeatName;
  /** The card. */
  card: string;
}

/** Result of one player. */
export interface PlayerData {
  /** The range as it was written. */
  range: string;
  /** Share of the pot, 0 to 1. */
  equity: number;
  /** Share of the deals that the player wins alone. */
  win: number;
  /** Share of the deals that the player ties. */
  tie: number;
  /** 95 % interval of the share of the pot; null if the result is exact. */
  equity_interval: [number, number] | null;
  /** 95 % interval of the share of deals won; null if the result is exact. */
  win_interval: [number, number] | null;
  /** 95 % interval of the share of deals tied; null if the result is exact. */
  tie_interval: [number, number] | null;
}

/** The range of a player. */
export interface PlayerRange {
  /** Name of the player, or `p1`, `p2` and so on. */
  player: string;
  /** The range. A filter uses the board of the decision. */
  range: string;
}

/** A position with the cards that may be played next. */
export interface Playing {
  /** Seat that plays next; null when all cards are played. */
  turn: SeatName | null;
  /** Cards of the current trick. */
  trick: PlayedCard[];
  /** Tricks won so far by declarer's side. */
  declarer: number;
  /** Tricks won so far by the defence. */
  defence: number;
  /** The cards that may be played. */
  cards: CardCost[];
  /** Seats that won each trick so far. */
  winners: SeatName[];
}

/** The value of a contract to a declarer who sees two hands, by playouts. */
export interface PlayoutValue {
  /** Number of layouts played. */
  layouts: number;
  /** Chance that the contract makes, 0 to 1. */
  made: Estimate;
  /** Chance that the contract makes double dummy, 0 to 1. */
  double_dummy: Estimate;
}

/** The values of contracts, in the order of the request. */
export interface PlayoutValues {
  /** A value for each contract. */
  values: PlayoutValue[];
}

/** A request to play contracts on deals. */
export interface PlayoutsRequest {
  /** Contracts with declarers, `4S-N`. */
  contracts: string[];
  /** The deals, as in PBN. */
  deals: string[];
  /** Script of the deals, whose condition declarer knows. Default: no condition. */
  script?: string;
}

/** The principal line of play. */
export interface PrincipalLine {
  /** Declarer's total tricks with best play by all. */
  tricks: number;
  /** The cards that are left, in the order of play. */
  cards: LineCard[];
}

/** A produced deal. */
export type Produced = BoardData & {
  /** Number among the deals tried, from 0. */
  index: number;
  /** Number among the produced deals, from 1. */
  ordinal: number;
  /** Values of the script's actions, in the order of the columns. */
  values: number[];
  /** Class of a levelled run, or script of a mixture, to which the deal belongs. */
  class?: string;
};

/** Strategies from which no player gains much by deviating. */
export interface PushAnswer {
  /** The players, in the order of the request. */
  seats: PushSeat[];
  /** The decisions: pushes first, then calls. */
  decisions: PushDecision[];
  /** Iterations done. */
  iterations: number;
  /** The largest gain of a player by deviating, as a share of a big blind, or of all prizes. */
  largest_gain: number;
  /** Whether the tolerance was reached. */
  converged: boolean;
}

/** A decision to push, or to call a push. */
export interface PushDecision {
  /** Name of the place that decides. */
  seat: string;
  /** Name of the place that has pushed; null if all players before have folded. */
  pusher: string | null;
  /** Share of all hands that push or call. */
  share: number;
  /**
   * How often each of the 169 kinds of hands pushes or calls, 0 to 1: rows of the grid, pairs on the diagonal, suited
   * hands above it.
   */
  frequencies: number[];
}

/** A request for the strategies of a table where every player goes all-in or folds. */
export interface PushRequest {
  /** Stacks of two to nine players before blinds and antes, in the order of acting, the big blind last. */
  stacks: number[];
  /** Small blind and big blind. Default: 0.5 and 1. */
  blinds?: number[];
  /** Ante of every player. */
  ante?: number;
  /** Prizes from the first place down. Default: the players play for chips. */
  payouts?: number[];
  /**
   * The search ends when no player can gain more than this share of a big blind (with prizes: of all prizes).
   * Default: 0.000001 for two players without prizes, else 0.0001.
   */
  tolerance?: number;
  /** Maximum number of iterations. Default: 100,000. */
  iterations?: number;
}

/** A player at the table. */
export interface PushSeat {
  /** Name of the place, such as `BTN`. */
  name: string;
  /** Stack before blinds and antes. */
  stack: number;
  /** Expected chips or prizes. */
  value: number;
  /** The chips or prizes that the player could gain by playing differently. */
  gain: number;
}

/** Content of a range. */
export interface RangeData {
  /** Number of hands. */
  hands: number;
  /** Share of all 1326 starting hands, by weight. */
  share: number;
  /** Classes with at least one hand in the range. */
  classes: ClassData[];
}

/** A request for the hands of a range. */
export interface RangeRequest {
  /** Text of the range. */
  range: string;
  /** Game, as `games` lists them; default: `holdem`. Only games with two cards have classes. */
  game?: string;
  /** Board, for filters such as `[flush draw]`. */
  board?: string;
}

/** A request to read the boards of a file, given as bytes or as text. */
export interface Read {
  /** Content in base 64. */
  base64?: string;
  /** Content as text. */
  text?: string;
}

/** Auction, contract, result and play of a board. */
export interface RecordData {
  /** Calls, the dealer's first: `1NT`, `Pass`, `X`. */
  auction?: string[];
  /** Explanations of calls. */
  explanations?: CallExplanation[];
  /** Contract, such as `3N` or `4Sx`. */
  contract?: string;
  /** Declarer: `N`, `E`, `S` or `W`. */
  declarer?: SeatName;
  /** Number of tricks that declarer took. */
  result?: number;
  /** Cards in the order of play: `SA`, `H10` is `HT`. */
  play?: string[];
}

/** Error of a request. */
export interface RequestError {
  /** Class of the error. */
  kind: RequestErrorKind;
  /** Message: what is wrong, and what would be right. */
  message: string;
  /** Messages about a script. */
  diagnostics?: Diagnostic[];
}

/** Class of an error. */
export type RequestErrorKind = 'request' | 'script' | 'limit' | 'run' | 'busy';

/** An event of a run. Events are sent in the order in which they happen. */
export type RunEvent =
  /** The run begins. */
  | {
      /** Name of the run for `/api/stop`; only `croupier serve` sends it. */
      run?: string;
      /** Seed that repeats the run. */
      seed: string;
      /** Title of the script. */
      title: string;
      /** Names of the values of each deal. */
      columns: string[];
      /** Warnings about the script. */
      warnings: Diagnostic[];
      /** Number of deals to find, if that ends the run. */
      produce: number | null;
      type: 'start';
    }
  /** The run has advanced. */
  | {
      /** Number of deals tried. */
      generated: number;
      /** Number of deals found. */
      produced: number;
      type: 'progress';
    }
  /** Deals were found. */
  | {
      /** Deals, in order. */
      deals: Produced[];
      type: 'deals';
    }
  /** The run has ended. */
  | {
      /** Reason: `produced`, `generated`, `exhausted`, `stopped`, `cancelled` or `timed_out`. */
      ended: string;
      /** Number of deals tried. */
      generated: number;
      /** Number of deals found. */
      produced: number;
      /** Elapsed seconds; 0 where there is no clock. */
      seconds: number;
      /** Tables of the script's actions. */
      tables: Table[];
      /** Output of the program `dealer`, truncated to the limit. */
      text: string;
      /** Whether the requested precision was reached; left out without one. */
      is_precise?: boolean;
      /** Key of a tournament; left out for other runs. */
      tournament?: TournamentKey;
      type: 'end';
    }
  /** The run failed. */
  | {
      /** Error of the run. */
      problem: RequestError;
      type: 'problem';
    };

/** Request for a run. */
export interface RunRequest {
  /** Text of the script. */
  script: string;
  /** Dialect of the script. */
  dialect?: Dialect;
  /** Seed: a number, or `key:` and hexadecimal digits. Default: the script's, else a random one. */
  seed?: string;
  /** Number of deals to find; overrides the script's. */
  produce?: number;
  /** Maximum number of deals to try; overrides the script's. */
  generate?: number;
  /** Precision of the averages at which the run ends: `0.5%`, `0.05 tricks`, `0.2 imps` or `5 points`. */
  precision?: string;
  /** Cards that a seat must have, by the letter of the seat: `SAKQ,H2`. */
  predeal?: Partial<Record<'N' | 'E' | 'S' | 'W', string>>;
  /** Texts of files that the script may import, by name. */
  imports?: Partial<Record<string, string>>;
  /** Shares of the classes of the script: `Game=2,Slam=1`. */
  level?: string;
  /** Further scripts to mix with this one. */
  mix?: Mix;
  /** Texts of the script's parameters, by their digit: `{"1": "15"}` for `$1`. */
  variables?: Partial<Record<string, string>>;
  /** Use of the exact sampler: `auto`, `on` or `off`. */
  sampler?: string;
  /**
   * Boards of a tournament: `new` for a new secret key, or a key, or the content of a key file. The key file is in the
   * last event.
   */
  tournament?: string;
  /** Public value on which the boards of the tournament depend, if its key file names one. */
  beacon_value?: string;
  /** Deals to select from and to count, instead of random ones. Without limits all of them are used. */
  deals?: string[];
  /** Exchange of hands after each deal: 0, 2 or 3. */
  exchange?: number;
  /** Title; overrides the script's. */
  title?: string;
  /** Dealer of all boards; overrides the script's. */
  dealer?: SeatName;
  /** Vulnerable sides of all boards; overrides the script's. */
  vulnerable?: Vulnerability;
  /** Bidding system for `bids` and similar functions: `2/1` or `dutch`. Default: `2/1`. */
  bidding_system?: string;
  /** Bidding system of East-West. Default: that of North-South. */
  bidding_system_ew?: string;
  /** Number of the first board. Default: 1. */
  first_board?: number;
  /** Seat that opened, for `opc`. */
  opener?: SeatName;
  /** Vulnerable sides for `par` without an argument. */
  par_vulnerability?: Vulnerability;
  /** Seed of `rnd`, apart from the seed of the deals. */
  rnd_seed?: number;
  /** Whether the classes of a levelled run and the scripts of a mix are spread evenly instead of shuffled. */
  even?: boolean;
  /** Whether the produced deals are ordered so that the classes of the script are spread evenly. */
  interleave?: boolean;
  /** Number of deals that a levelled script may generate for each deal it keeps. */
  level_budget?: number;
  /** Whether to add double-dummy results to every deal. */
  solve?: boolean;
  /** Whether to ignore the script's actions and report only the deals. */
  deals_only?: boolean;
}

/** A script for bidding practice. */
export interface Scenario {
  /** Name of the file, without ending. */
  name: string;
  /** First comment line of the script. */
  title: string;
  /** Comment lines after the title. */
  description: string;
  /** Heading to which the scenario belongs. */
  group: string;
  /** Text of the script. */
  script: string;
  /** How often the scenario comes up. */
  frequency: ScenarioFrequency | null;
}

/** How often a scenario comes up. */
export interface ScenarioFrequency {
  /** Whether the probability is exact; otherwise it was estimated. */
  exact: boolean;
  /** Numerator and denominator in lowest terms, if exact. */
  fraction?: [string, string];
  /** Probability. */
  probability: number;
}

/** All scenarios. */
export interface Scenarios {
  /** Scenarios, sorted by group and title. */
  scenarios: Scenario[];
}

/** Settings of a script. */
export interface ScriptSettings {
  /** Value of `title`. */
  title: string | null;
  /** Value of `produce`. */
  produce: number | null;
  /** Value of `generate`. */
  generate: number | null;
  /** Value of `seed`. */
  seed: number | null;
  /** Value of `dealer`. */
  dealer: SeatName | null;
  /** Value of `vulnerable`. */
  vulnerable: Vulnerability | null;
  /** Whether the script has a condition. */
  condition: boolean;
  /** Names of the variables. */
  variables: string[];
}

/** Letter of a seat, for descriptions of the interface. */
export type SeatName = 'N' | 'E' | 'S' | 'W';

/** Severity of a message. */
export type Severity = 'error' | 'warning';

/** One of the 560 shapes. */
export interface ShapeData {
  /** Lengths in spades, hearts, diamonds and clubs. */
  lengths: [number, number, number, number];
  /** Number of hands with this shape. */
  hands: number;
}

/** Shapes of a pattern. */
export interface Shapes {
  /** Number of shapes, of 560. */
  count: number;
  /** Number of hands. */
  hands: number;
  /** Number of all hands. */
  out_of: number;
  /** Share of all hands. */
  probability: number;
  /** The pattern in the classic notation. */
  classic: string;
  /** Shapes of the pattern. */
  shapes: ShapeData[];
  /** Warnings about the pattern. */
  warnings: string[];
}

/** A request for the shapes of a pattern. */
export interface ShapesRequest {
  /** Text between the braces of `shape{seat, ...}`. */
  pattern: string;
}

/** A request to solve a deal. */
export interface Solve {
  /** The deal, as in PBN. */
  deal: string;
  /** Vulnerable sides: `none`, `ns`, `ew` or `both`. */
  vulnerable?: Vulnerability;
  /** Dealer: `N`, `E`, `S` or `W`. It matters for par only if the side that bids first can buy the contract. */
  dealer?: SeatName;
  /** Results that are known already; they are not computed again. */
  tricks?: number[][];
}

/** Double-dummy results and par. */
export interface Solved {
  /** Twenty results: rows N E S W, columns clubs, diamonds, hearts, spades, notrump. */
  tricks: number[][];
  /** Par score of North-South. */
  par: number;
  /** Contracts that reach par; empty if the board is passed out. */
  contracts: ParText[];
}

/** A possible action and the event that follows. */
export interface SpotAction {
  /** The action, such as `bet 50`. */
  action: string;
  /** How often it is taken, over all hands. */
  frequency: number;
  /** The event that follows: another `decision` of the answer, a `card`, or the `end` of the hand. */
  next: SpotNext;
}

/** Strategies of both players. */
export interface SpotAnswer {
  /** Number of hands of both players, out of position first. */
  hands: number[];
  /** Number of decisions of the game, on all boards. */
  decisions: number;
  /** Bytes of memory that the game needed. */
  bytes: number;
  /** Iterations done. */
  iterations: number;
  /** The share of the pot that a best response wins. */
  exploitability: number;
  /** Whether the wanted exploitability was reached. */
  reached: boolean;
  /** The decisions of the street from `node` on, that one first. */
  street: SpotDecision[];
}

/** A decision of a player. */
export interface SpotDecision {
  /** Actions and cards from the start. */
  path: string;
  /** Player: `oop` or `ip`. */
  player: string;
  /** The board. */
  board: string;
  /** Chips in the pot. */
  pot: number;
  /** The probability that the decision is reached. */
  probability: number;
  /** Expected chips of both players, out of position first. */
  expected: number[];
  /** The actions. */
  actions: SpotAction[];
  /** The hands that reach the decision. */
  hands: SpotHand[];
}

/** A hand at a decision. */
export interface SpotHand {
  /** The two cards. */
  hand: string;
  /** Weight with which the hand reaches the decision. */
  weight: number;
  /** How often it takes each action. */
  strategy: number[];
  /** Expected chips after each action; empty if no hand of the opponent fits. */
  values: number[];
}

/** The event that follows an action. */
export type SpotNext = 'decision' | 'card' | 'end';

/** A request for the strategies of two ranges on a board, with the bets that are allowed. */
export interface SpotRequest {
  /** Board of three to five cards. */
  board: string;
  /** Range of the player out of position, who acts first. */
  oop: string;
  /** Range of the player in position. */
  ip: string;
  /** Chips in the pot. */
  pot: number;
  /** Chips that each player can still bet. */
  stack: number;
  /** Bet sizes, such as `50%,100%,a`, or `river: 75%,a`, `oop flop: none`. Default: `50%,100%,a`. */
  bets?: string[];
  /** Raise sizes in the same notation, and multiples of the bet such as `2.5x`. Default: `60%,a`. */
  raises?: string[];
  /** A bet that leaves at most this share of the pot after a call is all-in. Default: 0.2. */
  all_in_threshold?: number;
  /** Maximum number of raises on a street. Default: 3. */
  raise_limit?: number;
  /** Decisions with a fixed strategy, such as `check, bet 50 => fold: QQ; call: AA,KK`. */
  locks?: string[];
  /** Stop when a best response wins at most this share of the pot. Default: 0.001. */
  exploitability?: number;
  /** Stop after this number of iterations. Default: 10,000. */
  iterations?: number;
  /** Bits of the stored numbers: 16, 32 or 64. Default: 32 for rivers, 16 before. */
  bits?: number;
  /**
   * The first decision of the answer: actions and cards from the start, such as `check, bet 50, call, 2c`. Default:
   * the start.
   */
  node?: string;
}

/** Made hands and draws of a range. */
export interface StrengthData {
  /** Number of hands of the range that are possible on the board. */
  hands: number;
  /** Made hands, best first; only those that occur. */
  made: StrengthShare[];
  /** Draws that occur. A hand may have several. */
  draws: StrengthShare[];
}

/** A request for the made hands and draws of a range on a board. */
export interface StrengthRequest {
  /** Game: `holdem` or `short-deck`. */
  game?: string;
  /** The range. */
  range: string;
  /** Board of three to five cards; with `by` also fewer or none. */
  board?: string;
  /** Street up to which every completion of the board counts: `flop`, `turn` or `river`. Default: the board as it is. */
  by?: string;
  /** Dead cards, which no player can have. */
  dead?: string;
}

/** A kind of hands and its share of a range. */
export interface StrengthShare {
  /** Name, such as `top pair` or `flush draw`. */
  name: string;
  /** Share of the range by weight, 0 to 1. */
  share: number;
}

/** The plan of a study. */
export interface StudyPlan {
  /** Text of the plan. Send it unchanged with each portion and with the results. */
  plan: string;
  /** Number of deals that may be solved: the first ones. */
  candidates: number;
}

/** How to play a suit. */
export interface SuitAnswer {
  /** North's cards; of two suits those of the one to play first. */
  north: string;
  /** South's cards. */
  south: string;
  /** Cards of the defenders. */
  missing: string;
  /** Assumptions of the chances, in words: vacant places, a condition, entries, the order of two suits. */
  assumptions?: string[];
  /** The goals, the most tricks first. */
  goals: SuitGoalAnswer[];
}

/** Suit combinations of a kind, in the order of printed tables. */
export interface SuitBook {
  /** Number of combinations of this kind. */
  total: number;
  /** The rows of the request. */
  rows: SuitBookRow[];
}

/** A request for the suit combinations of a kind. */
export interface SuitBookRequest {
  /** Number of cards of both hands together. Default: any. */
  fit?: number;
  /** The missing ones of ace, king, queen and jack, such as `Q`; `-` is none. Default: any. */
  missing?: string;
  /** Lengths of the hands, such as `5-3`. Default: any. */
  split?: string;
  /** Number of rows to leave out at the beginning. */
  skip?: number;
  /** Maximum number of rows, at most 1,000. Default: 100. */
  rows?: number;
  /** Whether to add the first play of the line with the best average. */
  plays?: boolean;
}

/** A suit combination with its chances. */
export interface SuitBookRow {
  /** North's cards. */
  north: string;
  /** South's cards. */
  south: string;
  /** Cards of the defenders. */
  missing: string;
  /** Chances of at least 1, 2, 3 ... tricks, 0 to 1. */
  chances: number[];
  /** Best average number of tricks. */
  average: number;
  /** First play of the line with the best average, if requested. */
  play?: string;
}

/** A contract in which the suit is played. */
export interface SuitContract {
  /** The contract, such as `3N` or `4Hx`. */
  contract: string;
  /** Number of tricks outside the suit. */
  outside: number;
  /** Whether declarer is vulnerable. */
  vulnerable?: boolean;
  /** Whether to count IMPs instead of the score. */
  imps?: boolean;
  /** With IMPs, the score at the other table. Default: the contract just made. */
  other_table?: number;
}

/** The answer for one goal. */
export interface SuitGoalAnswer {
  /** Name of the goal: `4 tricks`, `average`, `payoff`, `score`, `IMPs` or `matchpoints`. */
  goal: string;
  /** Whether the value is a chance, 0 to 1. */
  chance: boolean;
  /** Value of the best line. */
  value: number;
  /** The value as an exact fraction: numerator and denominator. */
  fraction: string[];
  /** First play of the best line. */
  play: string;
  /** The best line; empty if the tricks are certain. */
  line: SuitSentence[];
  /** The first plays with their values, the best first. */
  plays: SuitPlay[];
  /** A remark on the line, such as its margins at matchpoints. */
  note?: string;
  /** The layouts that the line wins against, if they were requested. */
  layouts?: SuitLayout[];
}

/** A layout of the defenders' cards. */
export interface SuitLayout {
  /** West's cards; equal cards that are divided between both hands are written as `x`. */
  west: string;
  /** East's cards. */
  east: string;
  /** Tricks of the line. */
  tricks: number;
  /** Probability of the layout. */
  chance: number;
}

/** A first play with its value. */
export interface SuitPlay {
  /** The play in words, such as `low to the queen`. */
  play: string;
  /** Chance, 0 to 1, or average. */
  value: number;
}

/** A request for the play of one suit: two holdings. */
export interface SuitRequest {
  /** North's cards, such as `AQT98`; `x` is a small card, `-` a void. */
  north: string;
  /** South's cards. */
  south: string;
  /** Number of tricks to play for. Default: every number that is in doubt, and the average. */
  need?: number;
  /** Vacant places of West: 13 minus the known cards in other suits. Default: 13. */
  west?: number;
  /** Vacant places of East. Default: 13. */
  east?: number;
  /** Payoffs for 0, 1, 2 ... tricks to play for, which must not decrease. */
  payoff?: number[];
  /** Contract whose score to play for. */
  contract?: SuitContract;
  /** Whether to look also for the line that beats the others most often at matchpoints. */
  matchpoints?: boolean;
  /** Condition on the deal, such as `hcp(west) >= 12`. */
  condition?: string;
  /** Script with a condition on the deal, instead of `condition`. */
  script?: string;
  /** Suit of the holdings for a condition or script: S, H, D or C. */
  suit?: string;
  /** Number of deals to try for each layout if the condition cannot be counted exactly. Default: 10,000. */
  samples?: number;
  /** Number of entries to North. Default: unlimited. */
  entries_north?: number;
  /** Number of entries to South. Default: unlimited. */
  entries_south?: number;
  /** A second suit, such as `AQ/32`; `need` then counts the tricks of both suits. */
  second?: string;
  /** Whether to list the layouts that each line wins against. */
  layouts?: boolean;
}

/** A sentence of a line of play. */
export interface SuitSentence {
  /** Depth of the case: 0 is the first play, and a deeper sentence belongs to the one before it with less depth. */
  depth: number;
  /** The sentence. */
  text: string;
}

/** A table that a page can show without further computation. */
export type Table = TableData & {
  /** Title of the table. */
  title: string;
  /** Position in the script's list of actions. */
  action: number;
};

/** Content of a table, by kind of action. */
export type TableData =
  /** Table of `average`. */
  | {
      /** Number of deals. */
      count: number;
      /** Mean; null without deals. */
      mean: number | null;
      /** Standard deviation. */
      deviation: number | null;
      /** 95 % confidence interval of the mean. */
      interval: [number, number] | null;
      kind: 'average';
    }
  /** `frequency` and `bktfreq` of one expression. */
  | {
      /** Text of the counted expression. */
      axis: string;
      /** Classes of values. */
      bins: ValueClass[];
      /** Number of deals in each class. */
      counts: number[];
      /** 95 % confidence intervals of the shares of the classes. */
      intervals: [number, number][];
      /** Number of all deals. */
      total: number;
      kind: 'frequency';
    }
  /** `frequency` and `bktfreq` of two expressions. */
  | {
      /** Text of the expression in the rows. */
      row_axis: string;
      /** Text of the expression in the columns. */
      column_axis: string;
      /** Classes of the rows. */
      rows: ValueClass[];
      /** Classes of the columns. */
      columns: ValueClass[];
      /** Number of deals in each cell, row by row. */
      counts: number[];
      /** 95 % confidence intervals of the shares of the cells, row by row. */
      intervals: [number, number][];
      /** Number of all deals. */
      total: number;
      kind: 'grid';
    }
  /** Table of `evalcontract`. */
  | {
      /** Contract, such as `3N`. */
      contract: string;
      /** Declaring side: `NS` or `EW`. */
      side: string;
      /** Whether the side is vulnerable. */
      vulnerable: boolean;
      /** Number of deals with 0 to 13 tricks. */
      counts: number[];
      /** Number of deals in which the contract makes. */
      made: number;
      /** 95 % confidence interval of the share of deals in which the contract makes. */
      made_interval: [number, number] | null;
      /** 95 % confidence intervals of the shares of 0 to 13 tricks. */
      intervals: [number, number][];
      /** Mean score. */
      score: number | null;
      /** 95 % confidence interval of the mean score. */
      score_interval: [number, number] | null;
      kind: 'contract';
    };

/** The key of a tournament. Publish the commitment before the boards are played, and the key file afterwards. */
export interface TournamentKey {
  /** Content of the key file, which is secret until the boards have been played: the key, and the terms of the boards. */
  file: string;
  /** Commitment to the key and the terms. */
  commitment: string;
}

/** A request for the tricks of contracts on some deals. */
export interface TricksRequest {
  /** Deals, as in PBN. */
  deals: string[];
  /** Contracts with declarers, `4S-N`. */
  contracts: string[];
  /** Vulnerable sides; only a plan needs them. */
  vulnerable?: Vulnerability;
  /** Plan of the study, if it has one. */
  plan?: string;
  /** With a plan: place of the first of these deals among all, from 0. */
  first?: number;
}

/** A request to value cards. */
export interface Value {
  /** A hand, two hands of partners, or a deal as in PBN. */
  cards: string[];
  /** Seat that opened, for `opc`. */
  opener?: string;
}

/** A class of values. */
export interface ValueClass {
  /** Lowest value; null for all values below the table. */
  low: number | null;
  /** Highest value; null for all values above the table. */
  high: number | null;
}

/** A number of a valuation. */
export interface ValueNumber {
  /** Owner of the number: `hand`, a seat or a side. */
  whose: string;
  /** Name of the valuation. */
  valuation: string;
  /** Part of the valuation; `total` is the result. */
  part: string;
  /** Suit: `S`, `H`, `D` or `C`, if the number is about one suit. */
  suit: string | null;
  /** Value in units of the valuation. */
  value: number;
  /** Number of units per point. */
  scale: number;
}

/** Numbers of all valuations, in the order in which they are shown. */
export interface Valued {
  /** The numbers. */
  numbers: ValueNumber[];
}

/** Result of a verification. */
export interface Verdict {
  /** Whether all boards are right. */
  right: boolean;
  /** Statement of the verified facts, or the first fault. */
  text: string;
}

/** A request to check the boards of a tournament with their key. Give the file as bytes or as text. */
export interface Verify {
  /** File of boards, in base 64. */
  base64?: string;
  /** File of boards, as text. */
  text?: string;
  /** Name of the file, for messages. */
  name?: string;
  /** The key in hexadecimal digits, or the text of the key file. */
  key: string;
  /** Script that selected the deals. Default: the one in the file of boards. */
  script?: string;
  /** Commitment that was published before play. The ones in the boards and in the key file are checked too. */
  commitment?: string;
  /** Public value on which the deals depend. Default: the one in the file of boards. */
  beacon_value?: string;
}

/** Vulnerable sides, for descriptions of the interface. */
export type Vulnerability = 'none' | 'ns' | 'ew' | 'both';

/** A word of the language. */
export interface Word {
  /** Spelling. */
  word: string;
  /** Class of the word. */
  kind: WordKind;
  /** Example that uses the word. */
  usage: string;
  /** Meaning. */
  meaning: string;
}

/** Class of a word. */
export type WordKind = 'function' | 'statement' | 'action' | 'operator' | 'name';

/** A request to write boards in a format. */
export interface Write {
  /** Format of the file; `pdf` is a hand record. */
  format: FormatName;
  /** The boards. */
  boards: BoardData[];
  /** Name of the event. */
  title?: string;
}

/** A written file. */
export interface Written {
  /** Ending of the file's name. */
  ending: string;
  /** Content in base 64. */
  base64: string;
}

/** Request and answer of every question. */
export interface Endpoints {
  /** Checks a script and returns its settings. */
  check: { request: Check; answer: Checked };
  /** Lists the words of the script language with their meanings. */
  words: { request: Nothing; answer: LanguageWords };
  /** Lists the bundled scenarios. */
  scenarios: { request: Nothing; answer: Scenarios };
  /** Computes how often the condition of a script holds: exactly where it can be counted. */
  probability: { request: Check; answer: Odds };
  /** Counts how many deals pass each part of the condition. */
  explain: { request: Explain; answer: Explained };
  /** Computes double-dummy results and par of a deal. */
  solve: { request: Solve; answer: Solved };
  /** Computes the double-dummy cost of every card that may be played. */
  play: { request: Play; answer: Playing };
  /** Computes the principal line of play from a position on, with the cards that are as good at each turn. */
  line: { request: Play; answer: PrincipalLine };
  /** Computes the cards that decide the result of a position, and the exchanges of two cards that change it. */
  deciding: { request: Play; answer: Deciding };
  /** Computes the plan of a study of opening leads with a precision: which layouts may be solved. Send the plan with each portion. */
  'lead-plan': { request: LeadPlanRequest; answer: StudyPlan };
  /** Computes the tricks after every opening lead in some layouts. */
  leads: { request: LeadsRequest; answer: LeadTricks };
  /** Computes the results of a study of opening leads. */
  'lead-results': { request: LeadResultsRequest; answer: LeadResults };
  /** Computes the plan of a study of contracts with a precision: which deals may be solved. Send the plan with each portion. */
  'contract-plan': { request: ContractPlanRequest; answer: StudyPlan };
  /** Computes the tricks of several contracts on some deals. */
  tricks: { request: TricksRequest; answer: ContractTricks };
  /** Computes the results of a study of contracts. */
  'contract-results': { request: ContractResultsRequest; answer: ContractResults };
  /** Values cards by every method. */
  value: { request: Value; answer: Valued };
  /** Lists the shapes of a pattern. */
  shapes: { request: ShapesRequest; answer: Shapes };
  /** Reads the boards of a file. */
  read: { request: Read; answer: FileData };
  /** Writes a file of boards. */
  write: { request: Write; answer: Written };
  /** Checks that the boards of a tournament follow from their key. */
  verify: { request: Verify; answer: Verdict };
  /** Lists the formats of files of deals. */
  formats: { request: Nothing; answer: Formats };
  /** Lists the poker games. */
  games: { request: Nothing; answer: Games };
  /** Translates a seat profile to a script. */
  form: { request: Form; answer: FormScript };
  /** Ranks the cards that declarer can play next by the chance of the contract, without sight of the defenders' cards. */
  plan: { request: PlanRequest; answer: Planned };
  /** Plays contracts on deals: how often a declarer who sees two hands makes them. */
  playouts: { request: PlayoutsRequest; answer: PlayoutValues };
  /** Computes how to play one suit: the best line and its exact chance for every number of tricks. */
  suit: { request: SuitRequest; answer: SuitAnswer };
  /** Lists the chances of all suit combinations of a kind. */
  'suit-book': { request: SuitBookRequest; answer: SuitBook };
  /** Computes the hands that an auction shows: the meaning of each call, and a script whose deals fit it. */
  infer: { request: InferRequest; answer: Inferred };
  /** Tabulates the hands that fit an auction, points, lengths and honours of each seat, and deals layouts. */
  'infer-tables': { request: InferTablesRequest; answer: InferredTables };
  /** Lets robots bid a board, alone or together with the reader, and returns the meaning of each call. */
  bid: { request: BidRequest; answer: BidAnswer };
  /** Computes each player's share of the pot. */
  equity: { request: EquityRequest; answer: Equity };
  /** Computes the equity of classes of starting hands. */
  matrix: { request: MatrixRequest; answer: Matrix };
  /** Returns a range as a grid of starting hands. */
  range: { request: RangeRequest; answer: RangeData };
  /** Computes the made hands and draws of a range on a board. */
  strength: { request: StrengthRequest; answer: StrengthData };
  /** Reads hand histories (PHH, Open Hand History) and computes the equity at every decision. */
  history: { request: HistoryRequest; answer: HistoryAnswer };
  /** Computes which hands push all-in and which call, when every player pushes or folds. */
  push: { request: PushRequest; answer: PushAnswer };
  /** Computes the strategies of two ranges on a flop, turn or river. */
  spot: { request: SpotRequest; answer: SpotAnswer };
}

export type Endpoint = keyof Endpoints;

/** Parts of the engine that the page loads when it sends one of their questions for the first time. */
export const PARTS: Partial<Record<Endpoint, string>> = {
  plan: 'card-play',
  playouts: 'card-play',
  suit: 'card-play',
  'suit-book': 'card-play',
  infer: 'bidding',
  'infer-tables': 'bidding',
  bid: 'bidding',
  equity: 'poker',
  matrix: 'poker',
  range: 'poker',
  strength: 'poker',
  history: 'poker',
  push: 'poker-solver',
  spot: 'poker-solver',
};
