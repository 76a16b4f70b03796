// What several views share: settings of the reader, the script at hand, the boards at hand.

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

export const FIRST_SCRIPT = `# North opens a strong notrump and South has a hand for Stayman.
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

/** The reader's wishes live in the browser's own storage; without it they last as long as the page. */
function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`croupier.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`croupier.${key}`, value);
  } catch {
    // Private windows and full disks: then it is forgotten.
  }
}

class State {
  view = $state<ViewId>('deals');
  theme = $state<Theme>((remembered('theme') as Theme | null) ?? 'auto');
  fourColours = $state(remembered('deck') === 'four');
  script = $state(remembered('script') ?? FIRST_SCRIPT);
  seed = $state('1');
  produce = $state('');
  /** The deals of the last run, for the view Files. */
  boards = $state.raw<BoardData[]>([]);
  /** Whether the view Files shows them, or a file. */
  filesOf = $state<'script' | 'file'>('script');
  /** The script at hand is to be dealt as soon as the view Deals is there. */
  dealNow = $state(false);
  words = $state.raw<Word[]>([]);
  level = $state('');
  mix = $state.raw<{ scripts: string[]; shares: number[] } | null>(null);
}

export const app = new State();

/** For tests and for the console: sets what the page Deals asks for. */
(globalThis as Record<string, unknown>).croupier = {
  set(wish: { script: string; seed: string; produce: string }) {
    Object.assign(app, wish);
  },
};

let opened: Engine | null = null;

export function setEngine(engine: Engine): void {
  opened = engine;
}

export function engine(): Engine {
  if (!opened) throw new Error('the engine is not open yet');
  return opened;
}

export function go(view: ViewId): void {
  location.hash = `#/${view}`;
}

/** Puts a script into the editor of the view Deals, and deals it if that is wished. */
export function take(wish: { script: string; level?: string; mix?: State['mix']; deal?: boolean }): void {
  app.script = wish.script;
  app.level = wish.level ?? '';
  app.mix = wish.mix ?? null;
  app.dealNow = wish.deal ?? false;
  go('deals');
}

/** Applies theme and deck to the document. */
export function dress(): void {
  const dark = app.theme === 'dark' || (app.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.deck = app.fourColours ? 'four' : 'two';
  remember('theme', app.theme);
  remember('deck', app.fourColours ? 'four' : 'two');
}
