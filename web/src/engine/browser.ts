// The engine inside the page: WebAssembly in as many workers as there are cores. Nothing is shared between them, so
// any static host will do. A run is cut by number of deal: parts go to the workers as they get free, and what they
// find is put together in order.

import { byNumber } from '../lib/cards';
import { Pool } from './pool';
import {
  Problem,
  type Engine,
  type Produced,
  type Question,
  type Questions,
  type RunEvent,
  type RunRequest,
  type SeatName,
  type Settings,
  type Vulnerability,
} from './types';

interface Opened {
  start: RunEvent & { type: 'start' };
  /** Deals of the whole run, if it can be cut into parts. */
  deals: number | null;
  first_board: number;
}

interface Partial {
  parts: {
    first: number;
    last: number;
    generated: number;
    produced: number;
    ended: string | null;
    deals?: { number: number; deal: string; tricks?: number[][]; values?: number[] }[];
  }[];
}

/** Parts are whole blocks of deals. */
const BLOCK = 1024;
/** A part should take about so many milliseconds: then progress is smooth and Stop is quick. */
const PART_TIME = 120;

class BrowserEngine implements Engine {
  readonly kind = 'browser';
  readonly place: string;

  constructor(private readonly pool: Pool) {
    this.place = `in this browser, ${pool.size} worker${pool.size === 1 ? '' : 's'}`;
  }

  get workers(): number {
    return this.pool.size;
  }

  async ask<Q extends Question>(question: Q, ask: Questions[Q]['ask'], signal?: AbortSignal): Promise<Questions[Q]['answer']> {
    return JSON.parse(await this.pool.ask(question, JSON.stringify(ask), signal)) as Questions[Q]['answer'];
  }

  async run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const end = (event: RunEvent) => {
      on(event.type === 'end' ? { ...event, seconds: (performance.now() - started) / 1000 } : event);
    };
    try {
      const opened = JSON.parse(await this.pool.ask('run-open', JSON.stringify(request), signal)) as Opened;
      on(opened.start);
      // A fresh key is chosen once, and then all workers have it.
      const fixed = { ...request, seed: opened.start.seed };
      if (opened.deals === null) {
        const hear = (text: string) => on(JSON.parse(text) as RunEvent);
        end(JSON.parse(await this.pool.ask('run-whole', JSON.stringify(fixed), signal, hear)) as RunEvent);
        return;
      }
      const parts = await this.parts(fixed, opened, on, signal);
      const texts = parts.map((part) => part.text);
      // After Stop the parts in hand are put together all the same.
      const body = `{"request":${JSON.stringify(fixed)},"parts":[${texts.join(',')}]}`;
      end(JSON.parse(await this.pool.ask('run-join', body)) as RunEvent);
    } catch (error) {
      if (signal.aborted) throw error;
      const data = error instanceof Problem ? error.data : { kind: 'run' as const, message: (error as Error).message };
      on({ type: 'problem', problem: data });
    }
  }

  /** The parts of a run from its first deal on, up to the end or to Stop. */
  private async parts(request: RunRequest, opened: Opened, on: (event: RunEvent) => void, signal: AbortSignal) {
    const settings = await this.settings(request, signal);
    const wanted = opened.start.produce ?? Infinity;
    const limit = opened.deals!;
    const done: { text: string; partial: Partial }[] = [];
    const enough = new AbortController();
    signal.addEventListener('abort', () => enough.abort(), { once: true });
    let next = 0;
    let size = BLOCK;
    let given = 0;
    let ready = 0;
    let produced = 0;
    let generated = 0;

    const take = () => {
      // In order: what a part found counts once all parts before it are there.
      while (done[ready] && produced < wanted) {
        const part = done[ready++].partial.parts[0];
        const room = wanted - produced;
        const deals = (part.deals ?? []).slice(0, room).map((it, i): Produced => {
          const number = opened.first_board + produced + i;
          const turn = byNumber(((number - 1) % 16 + 16) % 16 + 1);
          return {
            index: it.number,
            ordinal: produced + i + 1,
            deal: it.deal,
            number,
            dealer: settings.dealer ?? turn.dealer,
            vulnerable: settings.vulnerable ?? turn.vulnerable,
            tricks: it.tricks,
            values: it.values ?? [],
          };
        });
        produced += Math.min(room, part.produced);
        generated = part.generated;
        if (deals.length) on({ type: 'deals', deals });
        on({ type: 'progress', generated, produced });
        if (produced >= wanted || part.ended === null) enough.abort();
      }
    };
    const worker = async () => {
      while (next < limit && !enough.signal.aborted) {
        const mine = given++;
        const first = next;
        const last = Math.min(limit, first + size);
        next = last;
        const begun = performance.now();
        const text = await this.pool.ask('run-part', `{"request":${JSON.stringify(request)},"first":${first},"last":${last}}`, enough.signal);
        const time = Math.max(1, performance.now() - begun);
        // A part that was done quickly is followed by larger ones, at most four times as large.
        const better = Math.round(((last - first) * Math.min(4, PART_TIME / time)) / BLOCK) * BLOCK;
        size = Math.max(BLOCK, Math.min(better, 1 << 28));
        done[mine] = { text, partial: JSON.parse(text) as Partial };
        take();
      }
    };
    const results = await Promise.allSettled(Array.from({ length: this.pool.size }, worker));
    const failed = results.find((it) => it.status === 'rejected' && !enough.signal.aborted);
    if (failed) throw (failed as PromiseRejectedResult).reason;
    if (ready === 0) throw new DOMException('stopped', 'AbortError');
    return done.slice(0, ready);
  }

  private async settings(request: RunRequest, signal: AbortSignal): Promise<{ dealer?: SeatName; vulnerable?: Vulnerability }> {
    const answer = await this.ask('check', { script: request.script, dialect: request.dialect }, signal);
    const settings: Settings | null = answer.settings;
    return { dealer: settings?.dealer ?? undefined, vulnerable: settings?.vulnerable ?? undefined };
  }
}

export async function browserEngine(): Promise<Engine> {
  if (typeof WebAssembly === 'undefined') throw new Error('this browser has no WebAssembly');
  const address = new URL('croupier.wasm', document.baseURI);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} is not there (${response.status}); web/build makes it`);
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compileStreaming(response.clone());
  } catch {
    // A host that does not know the type of the file.
    module = await WebAssembly.compile(await response.arrayBuffer());
  }
  const wanted = Number(new URLSearchParams(location.search).get('workers'));
  const cores = navigator.hardwareConcurrency || 2;
  return new BrowserEngine(new Pool(module, Math.max(1, Math.min(16, wanted || cores))));
}
