// The recipe of a run: all choices that determine its deals. It is one object with one text form, for links, for the
// browser's storage and for requests.

import type { Check, Dialect, RunRequest, SeatName, Vulnerability } from '../engine';
import { fromBase64, toBase64 } from './format';
import { givenSettings, settingsRequest } from './settings';

/** The dialects, each with the program whose language it is. The type has one entry for each dialect of the engine. */
export const DIALECTS: Record<Dialect, string> = {
  native: 'croupier',
  v1: 'dealer',
  v2: 'DealerV2',
  exe: 'dealer.exe',
  dealer3: 'dealer3',
};

/** One script of a mixture and its share of the boards. */
export interface MixPart {
  name: string;
  script: string;
  share: number;
}

/** How whole boards are turned: not at all, so that partners change places, by a quarter, or each at random. */
export const ROTATIONS = ['none', 'half', 'quarter', 'random'] as const;
export type Rotation = (typeof ROTATIONS)[number];

export interface Recipe {
  script: string;
  dialect: Dialect;
  /** Seed of the deals that are shown. */
  seed: string;
  /** Whether "Deal" keeps the seed; otherwise it takes a new one each time. */
  keepsSeed: boolean;
  /** Number of deals; empty for the script's own. */
  produce: string;
  dealer: SeatName | '';
  vulnerable: Vulnerability | '';
  rotation: Rotation;
  /** Shares of classes, as in `Weak=1,Slam=3`. */
  level: string;
  /** Scripts of a mixture, `script` first; empty without a mixture. */
  mix: MixPart[];
  /** Texts for `$0` to `$9`. */
  variables: string[];
  /** Files that the script may import: name and text. */
  imports: Record<string, string>;
  /** Precision of the averages at which the run ends, such as `0.5%`. */
  precision: string;
  /** Texts of further settings (`settings.ts`), by their names. */
  settings: Record<string, string>;
}

export function emptyRecipe(script = ''): Recipe {
  return {
    script,
    dialect: 'native',
    seed: '',
    keepsSeed: false,
    produce: '',
    dealer: '',
    vulnerable: '',
    rotation: 'none',
    level: '',
    mix: [],
    variables: [],
    imports: {},
    precision: '',
    settings: {},
  };
}

/** Returns the names of the classes that a script defines: variables `HandType_...`. */
export function classNames(script: string): string[] {
  return [...script.matchAll(/^\s*HandType_(\w+)\s*=/gm)].map((it) => it[1]).filter((it) => !it.endsWith('_Share'));
}

/** Returns whether the mixture belongs to the script in the editor: its first part is that script. */
export function isMixed(recipe: Recipe): boolean {
  return recipe.mix.length > 0 && recipe.mix[0].script === recipe.script;
}

/** Returns whether the shares belong to the script in the editor: it defines all their classes. */
export function isLevelled(recipe: Recipe): boolean {
  if (!recipe.level || isMixed(recipe)) return false;
  const known = classNames(recipe.script);
  return recipe.level.split(',').every((it) => known.includes(it.split('=')[0].trim()));
}

/** Returns the numbers of the variables `$0` to `$9` that a script uses. */
export function variablesOf(script: string): number[] {
  const code = script.replace(/\/\*[\s\S]*?\*\/|\/\/.*|#.*|"[^"\n]*"/g, ' ');
  return [...new Set([...code.matchAll(/\$(\d)/g)].map((it) => Number(it[1])))].sort();
}

/** Returns the script with everything that it needs: its dialect, its files, and the texts for `$0` to `$9`. */
export function scriptOf(recipe: Recipe): Check {
  const used = variablesOf([recipe.script, ...Object.values(recipe.imports)].join('\n'));
  const variables = Object.fromEntries(used.map((it) => [String(it), recipe.variables[it] ?? '']));
  return {
    script: recipe.script,
    dialect: recipe.dialect === 'native' ? undefined : recipe.dialect,
    imports: Object.keys(recipe.imports).length ? recipe.imports : undefined,
    variables: used.length ? variables : undefined,
  };
}

export function runRequest(recipe: Recipe): RunRequest {
  const { script, dialect, imports, variables } = scriptOf(recipe);
  return {
    ...settingsRequest(recipe.settings),
    script,
    dialect,
    imports,
    variables,
    seed: recipe.seed.trim() || undefined,
    produce: Number(recipe.produce) || undefined,
    dealer: recipe.dealer || undefined,
    vulnerable: recipe.vulnerable || undefined,
    precision: recipe.precision.trim() || undefined,
    level: isLevelled(recipe) ? recipe.level : undefined,
    mix: isMixed(recipe)
      ? {
          scripts: recipe.mix.slice(1).map((it) => it.script),
          names: recipe.mix.map((it) => it.name),
          shares: recipe.mix.map((it) => it.share),
        }
      : undefined,
  };
}

const MAX_SEED = 999_999;

/** Returns a random seed that is easy to read aloud: at most six digits. */
export function newSeed(): string {
  return String(1 + (crypto.getRandomValues(new Uint32Array(1))[0] % MAX_SEED));
}

/** Returns why a text is not a seed; empty if it is one. */
export function seedProblem(text: string): string {
  const seed = text.trim();
  if (!seed || /^\d{1,18}$/.test(seed) || /^key:[0-9a-f]{64}$/i.test(seed)) return '';
  return 'A seed is a whole number from 0, or key: and 64 hexadecimal digits. Leave it empty for new deals.';
}

/** Returns why a text is not a number of deals; empty if it is one. */
export function produceProblem(text: string): string {
  if (!text.trim() || /^[1-9]\d{0,11}$/.test(text.trim())) return '';
  return 'Deals is a number, 1 at least; leave it empty to have as many as the script says.';
}

// The default recipe. The text form is JSON without the fields that have their default.

const DEFAULTS: Recipe = emptyRecipe();

export function toText(recipe: Recipe): string {
  const mixed = isMixed(recipe);
  const kept: Record<string, unknown> = { script: recipe.script };
  for (const [key, value] of Object.entries(recipe)) {
    if (key === 'mix' ? !mixed : key === 'level' ? !isLevelled(recipe) : false) continue;
    const usual = DEFAULTS[key as keyof Recipe];
    if (JSON.stringify(value) !== JSON.stringify(usual)) kept[key] = value;
  }
  return JSON.stringify(kept);
}

const isOneOf = <T extends string>(value: unknown, ...list: readonly T[]): value is T => list.includes(value as T);
const isText = (value: unknown): value is string => typeof value === 'string';

function isPart(value: unknown): value is MixPart {
  const part = value as MixPart;
  return !!part && isText(part.name) && isText(part.script) && Number.isInteger(part.share) && part.share > 0;
}

/** Reads a recipe; null if the text is not one. Links of earlier versions are accepted. */
export function fromText(text: string): Recipe | null {
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (!found || !isText(found.script)) return null;
  const recipe = emptyRecipe(found.script);
  if (isOneOf(found.dialect, ...(Object.keys(DIALECTS) as Dialect[]))) recipe.dialect = found.dialect;
  if (isText(found.seed) || typeof found.seed === 'number') recipe.seed = String(found.seed);
  recipe.keepsSeed = found.keepsSeed === true;
  if (isText(found.produce) || typeof found.produce === 'number') recipe.produce = String(found.produce);
  if (isOneOf(found.dealer, 'N', 'E', 'S', 'W')) recipe.dealer = found.dealer;
  if (isOneOf(found.vulnerable, 'none', 'ns', 'ew', 'both')) recipe.vulnerable = found.vulnerable;
  if (isOneOf(found.rotation, ...ROTATIONS)) recipe.rotation = found.rotation;
  if (isText(found.level)) recipe.level = found.level;
  if (isText(found.precision)) recipe.precision = found.precision;
  recipe.settings = givenSettings(found.settings);
  if (Array.isArray(found.variables)) recipe.variables = found.variables.filter(isText).slice(0, 10);
  if (found.imports && typeof found.imports === 'object')
    recipe.imports = Object.fromEntries(
      Object.entries(found.imports).filter((it): it is [string, string] => isText(it[1])),
    );
  const mix = found.mix as unknown;
  if (Array.isArray(mix) && mix.every(isPart)) recipe.mix = mix;
  else if (mix) recipe.mix = earlierMix(found.script, mix as { scripts?: unknown; shares?: unknown });
  return recipe;
}

/** Returns the mixture of a link that was made before mixtures had names. */
function earlierMix(script: string, mix: { scripts?: unknown; shares?: unknown }): MixPart[] {
  const { scripts, shares } = mix;
  if (!Array.isArray(scripts) || !Array.isArray(shares)) return [];
  const parts = [script, ...(scripts as unknown[])].map((it, i) => ({
    name: `script ${i + 1}`,
    script: it,
    share: shares[i] as unknown,
  }));
  return parts.every(isPart) ? (parts as MixPart[]) : [];
}

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const fromUrlSafe = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

async function pipeThrough(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const out = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

/** Packs a text for the fragment of an address, which browsers do not send to servers. */
export async function pack(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return toUrlSafe(toBase64(await pipeThrough(bytes, new CompressionStream('deflate-raw'))));
}

/** Maximum size of an unpacked link. A script has at most a megabyte. */
const MAX_BYTES = 2_000_000;

/** Unpacks a text of a link; null if it is damaged. */
export async function unpack(text: string): Promise<string | null> {
  try {
    const bytes = await pipeThrough(fromBase64(fromUrlSafe(text)), new DecompressionStream('deflate-raw'));
    return bytes.length > MAX_BYTES ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}
