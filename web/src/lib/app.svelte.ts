// State shared by several views: the user's settings, the current script and the current boards.

import type { BoardData, Engine, Word } from '../engine';

export const VIEWS = [
  { id: 'deals', name: 'Deals' },
  { id: 'scenarios', name: 'Scenarios' },
  { id: 'studies', name: 'Leads & contracts' },
  { id: 'hand', name: 'Hand' },
  { id: 'shapes', name: 'Shapes' },
  { id: 'poker', name: 'Poker' },
  { id: 'files', name: 'Files' },
] as const;
export type ViewId = (typeof VIEWS)[number]['id'];

export const EXAMPLE_SCRIPT = `# North opens a strong notrump and South has a hand for Stayman.
produce 12

notrump_opening = hcp(north) >= 15 && hcp(north) <= 17
    && shape(north, any 4333 + any 4432 + any 5332)
stayman = hcp(south) >= 8
    && (hearts(south) == 4 || spades(south) == 4)

condition notrump_opening && stayman

action
    printall,
    average "points of North and South" hcp(north) + hcp(south),
    frequency "points of South" (hcp(south), 8, 20),
    frequency "hearts of North and South" (hearts(north), 2, 5, hearts(south), 0, 6)
`;

type Theme = 'auto' | 'light' | 'dark';

/** Returns a setting from the browser's storage, or null if there is none. */
function loadSetting(key: string): string | null {
  try {
    return localStorage.getItem(`croupier.${key}`);
  } catch {
    return null;
  }
}

export function saveSetting(key: string, value: string): void {
  try {
    localStorage.setItem(`croupier.${key}`, value);
  } catch {
    // Private windows and full disks: the setting lasts until the page is closed.
  }
}

class State {
  view = $state<ViewId>('deals');
  theme = $state<Theme>((loadSetting('theme') as Theme | null) ?? 'auto');
  fourColours = $state(loadSetting('deck') === 'four');
  script = $state(loadSetting('script') ?? EXAMPLE_SCRIPT);
  seed = $state('1');
  produce = $state('');
  /** Deals of the last run, for the view Files. */
  boards = $state.raw<BoardData[]>([]);
  /** Source of the boards in the view Files: the last run or a file. */
  filesSource = $state<'script' | 'file'>('script');
  /** Whether the view Deals runs the script as soon as it is shown. */
  runRequested = $state(false);
  words = $state.raw<Word[]>([]);
  level = $state('');
  mix = $state.raw<{ scripts: string[]; shares: number[] } | null>(null);
}

export const app = new State();

/** For tests and the console: sets script, seed and number of deals of the view Deals. */
(globalThis as Record<string, unknown>).croupier = {
  set(settings: { script: string; seed: string; produce: string }) {
    Object.assign(app, settings);
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

/** Puts a script into the editor of the view Deals, and runs it if `deal` is true. */
export function openScript(request: { script: string; level?: string; mix?: State['mix']; deal?: boolean }): void {
  app.script = request.script;
  app.level = request.level ?? '';
  app.mix = request.mix ?? null;
  app.runRequested = request.deal ?? false;
  showView('deals');
}

/** Applies theme and deck to the document. */
export function applyTheme(): void {
  const dark = app.theme === 'dark' || (app.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.deck = app.fourColours ? 'four' : 'two';
  saveSetting('theme', app.theme);
  saveSetting('deck', app.fourColours ? 'four' : 'two');
}
