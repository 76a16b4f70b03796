// A run of a script: its progress, deals and tables.

import {
  Problem,
  type Diagnostic,
  type Produced,
  type ProblemData,
  type RunEvent,
  type RunRequest,
  type Table,
  type TournamentKey,
} from '../engine';
import { engine } from './app.svelte';

/** Number of deals that are kept. Both engines refuse runs that print more. */
export const MAX_SHOWN = 20_000;

export class Run {
  running = $state(false);
  seed = $state('');
  title = $state('');
  columns = $state.raw<string[]>([]);
  deals = $state.raw<Produced[]>([]);
  tables = $state.raw<Table[]>([]);
  warnings = $state.raw<Diagnostic[]>([]);
  generated = $state(0);
  produced = $state(0);
  produceLimit = $state<number | null>(null);
  ended = $state('');
  seconds = $state(0);
  text = $state('');
  /** Key of a tournament's boards. */
  tournament = $state.raw<TournamentKey | null>(null);
  problem = $state.raw<ProblemData | null>(null);
  /** Whether the run ended before its own end. */
  get isPartial(): boolean {
    return ['stopped', 'cancelled', 'timed_out'].includes(this.ended);
  }
  /** The script of this run; the editor may contain another one by now. */
  script = $state('');
  private work: AbortController | null = null;

  stop(): void {
    this.work?.abort();
  }

  async start(request: RunRequest): Promise<void> {
    this.stop();
    const own = (this.work = new AbortController());
    this.running = true;
    this.deals = [];
    this.arrived = [];
    this.tables = [];
    this.problem = this.tournament = null;
    this.generated = this.produced = this.seconds = 0;
    this.ended = this.text = '';
    this.script = request.script;
    const started = performance.now();
    const on = (event: RunEvent) => {
      if (this.work === own) this.handleEvent(event);
    };
    try {
      await engine().run(request, on, own.signal);
    } catch (error) {
      if (this.work !== own) return;
      if (own.signal.aborted) this.ended = 'cancelled';
      else this.problem = error instanceof Problem ? error.data : { kind: 'run', message: (error as Error).message };
    }
    if (this.work !== own) return;
    this.show();
    if (own.signal.aborted && !this.ended) this.ended = 'cancelled';
    this.running = false;
    if (!this.seconds) this.seconds = (performance.now() - started) / 1000;
  }

  /** Deals that arrived since the list was last shown. */
  private arrived: Produced[] = [];
  private frame = 0;

  /** Shows new deals once a frame: copying the list for every event would be slow for long lists. */
  private showSoon(): void {
    this.frame ||= requestAnimationFrame(() => this.show());
  }

  private show(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!this.arrived.length) return;
    this.deals = this.deals.concat(this.arrived).slice(0, MAX_SHOWN);
    this.arrived = [];
  }

  private handleEvent(event: RunEvent): void {
    switch (event.type) {
      case 'start':
        this.seed = event.seed;
        this.title = event.title;
        this.columns = event.columns;
        this.warnings = event.warnings;
        this.produceLimit = event.produce;
        break;
      case 'progress':
        this.generated = event.generated;
        this.produced = event.produced;
        break;
      case 'deals':
        this.arrived.push(...event.deals);
        this.showSoon();
        break;
      case 'end':
        this.show();
        this.ended = event.ended;
        this.generated = event.generated;
        this.produced = event.produced;
        this.tables = event.tables;
        this.seconds = event.seconds;
        this.text = event.text;
        this.tournament = event.tournament ?? null;
        break;
      case 'problem':
        this.problem = event.problem;
    }
  }
}

/** Messages for the reasons why a run ended. */
export const ENDINGS: Record<string, string> = {
  produced: 'All the deals that were wanted.',
  generated: 'The limit of deals to look at was reached.',
  exhausted: 'There were no more deals.',
  stopped: 'Stopped: these are partial results.',
  cancelled: 'Stopped: these are partial results.',
  timed_out: 'The time was up: these are partial results.',
};
