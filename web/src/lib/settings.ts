// Settings of a run that few scripts need, as a table: the fields of the page and the request are made from it.

import type { RunRequest, SeatName } from '../engine';

/** A setting: a text, a number, one of several values, or a flag. */
export interface Setting {
  /** Field of the request; the cards of a seat are `predeal` with the seat's letter after a dot. */
  name: string;
  label: string;
  /** Heading of the settings that belong together. */
  group: string;
  /** Example of a value, for texts and numbers. */
  example?: string;
  isNumber?: boolean;
  /** Values with their names. A value that is not chosen is not sent. */
  choices?: Record<string, string>;
  /** Whether the setting is a flag; its value is `yes`. */
  isFlag?: boolean;
}

/** Systems of the built-in robots. */
const SYSTEMS = { '2/1': '2/1', dutch: 'Dutch' };

const SEATS: Record<SeatName, string> = { N: 'North', E: 'East', S: 'South', W: 'West' };

export const SETTINGS: readonly Setting[] = [
  { name: 'title', group: 'Boards', label: 'Title', example: 'Tuesday lesson' },
  { name: 'first_board', group: 'Boards', label: 'First board', example: '1', isNumber: true },
  { name: 'generate', group: 'Boards', label: 'Try at most', example: '10000000', isNumber: true },
  {
    name: 'exchange',
    group: 'Boards',
    label: 'Exchange hands',
    isNumber: true,
    choices: { 2: 'East and West', 3: 'East, South and West' },
  },
  { name: 'sampler', group: 'Boards', label: 'Exact sampler', choices: { on: 'always', off: 'never' } },
  ...Object.entries(SEATS).map(([seat, label]) => ({
    name: `predeal.${seat}`,
    group: 'Given cards',
    label: `${label} holds`,
    example: 'SAKQ,H2',
  })),
  { name: 'tournament', group: 'Tournament', label: 'Tournament boards of the key', example: 'new' },
  { name: 'beacon_value', group: 'Tournament', label: 'Public value of the tournament' },
  {
    name: 'level_budget',
    group: 'Classes in shares',
    label: 'Deals for each of a class',
    example: '40',
    isNumber: true,
  },
  { name: 'even', group: 'Classes in shares', label: 'Spread classes evenly', isFlag: true },
  { name: 'interleave', group: 'Classes in shares', label: 'Order by class', isFlag: true },
  {
    name: 'bidding_system',
    group: 'Words of the script',
    label: 'System of the robots, for bids',
    choices: SYSTEMS,
  },
  { name: 'bidding_system_ew', group: 'Words of the script', label: 'System of East-West', choices: SYSTEMS },
  { name: 'opener', group: 'Words of the script', label: 'Opener, for opc', choices: SEATS },
  {
    name: 'par_vulnerability',
    group: 'Words of the script',
    label: 'Vulnerable, for par',
    choices: { none: 'nobody', ns: 'North-South', ew: 'East-West', both: 'all' },
  },
  { name: 'rnd_seed', group: 'Words of the script', label: 'Start value of rnd', example: '1', isNumber: true },
];

/** Returns the settings that differ from their defaults: those of the table with a text. */
export function givenSettings(texts: unknown): Record<string, string> {
  const found = (texts ?? {}) as Record<string, unknown>;
  const given = SETTINGS.map((it): [string, unknown] => [it.name, found[it.name]]);
  return Object.fromEntries(given.filter((it): it is [string, string] => typeof it[1] === 'string' && !!it[1].trim()));
}

/** Returns the fields of a request for settings with these texts. */
export function settingsRequest(texts: Record<string, string>): Partial<RunRequest> {
  const given = givenSettings(texts);
  const request: Record<string, unknown> = {};
  const predeal: Record<string, string> = {};
  for (const { name, isNumber, isFlag } of SETTINGS) {
    const text = given[name]?.trim();
    if (!text) continue;
    const [field, seat] = name.split('.');
    if (seat) predeal[seat] = text;
    else request[field] = isFlag ? true : isNumber ? Number(text) : text;
  }
  if (Object.keys(predeal).length) request.predeal = predeal;
  return request;
}
