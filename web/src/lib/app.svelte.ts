// State shared by several views: the user's settings, the recipe and the current boards.

import type { BoardData, Engine, SeatName, Word } from '../engine';
import { emptyRecipe, fromText, toText, type MixPart, type Recipe } from './recipe';
import { loadSetting, saveSetting } from './storage';

/** Views in the order of the menu. */
export const VIEWS = [
  { id: 'scenarios', name: 'Scenarios' },
  { id: 'deals', name: 'Deals' },
  { id: 'bid', name: 'Bid' },
  { id: 'studies', name: 'Play & leads' },
  { id: 'files', name: 'Files' },
  { id: 'hand', name: 'Hand' },
  { id: 'suit', name: 'Suit' },
  { id: 'shapes', name: 'Shapes' },
  { id: 'poker', name: 'Poker' },
] as const;
export type ViewId = (typeof VIEWS)[number]['id'];

type Theme = 'auto' | 'light' | 'dark';

/** Returns the recipe of this tab, else of the last tab; null for a new user. */
function savedRecipe(): Recipe | null {
  const text = loadSetting('recipe', 'tab') ?? loadSetting('recipe');
  return text === null ? null : fromText(text);
}

const saved = savedRecipe();

/** A question for the view "Play & leads" that comes from a board. */
export interface StudyRequest {
  kind: 'lead' | 'compare' | 'plan';
  board: BoardData;
  /** For a plan: the cards played so far, and the contract that is played. */
  played?: string[];
  contract?: string;
  declarer?: SeatName;
}

/** The holdings of two partners in a suit. */
export interface SuitRequest {
  north: string;
  south: string;
  source: string;
}

/** Returns the view that the address names. */
export function viewInAddress(): ViewId | undefined {
  const path = location.hash.replace(/^#\/?/, '').split('?')[0];
  return VIEWS.find((it) => it.id === path)?.id;
}

class State {
  view = $state<ViewId>(viewInAddress() ?? 'deals');
  theme = $state<Theme>((loadSetting('theme') as Theme | null) ?? 'auto');
  fourColours = $state(loadSetting('deck') === 'four');
  recipe = $state<Recipe>(saved ?? emptyRecipe());
  /** Whether the reader has no recipe yet, so that the page chooses a scenario. */
  isNew = $state(saved === null);
  /** Name of the scenario that the recipe came from, for the heading. */
  recipeName = $state(loadSetting('recipe-name', 'tab') ?? '');
  showsScript = $state(loadSetting('script-panel') === 'open');
  /** Deals of the last run, for the view Files. */
  boards = $state.raw<BoardData[]>([]);
  /** Source of the boards in the view Files: the last run or a file. */
  filesSource = $state<'script' | 'file'>('script');
  /** Deals that the view Deals makes as soon as it is shown: new ones, or those of the seed in the recipe. */
  runRequested = $state<'new' | 'same' | null>(saved ? 'same' : null);
  /** Files or text that were pasted or dropped anywhere on the page. */
  pasted = $state.raw<File | string | null>(null);
  /** Text of a link with poker ranges. */
  pokerLink = $state('');
  /** Text of a link with a bidding session. */
  bidLink = $state('');
  /** A suit of a board, for the view Suit. */
  suit = $state.raw<SuitRequest | null>(null);
  study = $state.raw<StudyRequest | null>(null);
  words = $state.raw<Word[]>([]);
}

export const app = new State();

/** For tests and the console: sets script, seed and number of deals of the view Deals. */
(globalThis as Record<string, unknown>).croupier = {
  set(settings: { script: string; seed: string; produce: string }) {
    Object.assign(app.recipe, emptyRecipe(), settings, { keepsSeed: settings.seed !== '' });
    app.recipeName = '';
  },
};

let currentEngine: Engine | null = null;

export function setEngine(engine: Engine): void {
  currentEngine = engine;
}

export function engine(): Engine {
  if (!currentEngine) throw new Error('the engine is not open yet');
  return currentEngine;
}

export function showView(view: ViewId): void {
  location.hash = `#/${view}`;
}

/** Puts a script, with its shares or its mixture, into the recipe. Dealer and number of deals are the script's again. */
export function openScript(request: {
  script: string;
  name?: string;
  level?: string;
  mix?: MixPart[];
  deal?: boolean;
}): void {
  app.recipe = {
    ...emptyRecipe(request.script),
    level: request.level ?? '',
    mix: request.mix ?? [],
    produce: app.recipe.produce,
  };
  app.recipeName = request.name ?? '';
  if (request.deal) app.runRequested = 'new';
  else app.showsScript = true;
  showView('deals');
}

/** Keeps the recipe in the browser: for this tab, and for tabs that are opened later. */
export function saveRecipe(): void {
  const text = toText(app.recipe);
  saveSetting('recipe', text, 'tab');
  saveSetting('recipe', text);
  saveSetting('recipe-name', app.recipeName, 'tab');
}

/** Applies theme and deck to the document. */
export function applyTheme(): void {
  const dark = app.theme === 'dark' || (app.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.deck = app.fourColours ? 'four' : 'two';
  saveSetting('theme', app.theme);
  saveSetting('deck', app.fourColours ? 'four' : 'two');
}
