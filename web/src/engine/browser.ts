// The engine inside the page: WebAssembly in one worker for each core. The workers share no memory, so any static host
// can serve the page. A run is divided by deal number: a free worker takes the next part; results are merged in order.

import { byNumber } from '../lib/cards';
import { Pool } from './pool';
import { Problem, type Engine, type RunEvent } from './engine';
import {
  PARTS,
  type Endpoint,
  type Endpoints,
  type Produced,
  type RunRequest,
  type SeatName,
  type ScriptSettings,
  type Vulnerability,
} from './types';

interface OpenedRun {
  start: RunEvent & { type: 'start' };
  /** Number of deals of the whole run, or null if it cannot be divided into parts. */
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

/** Part of the engine with which the page starts. */
const CORE = 'core';
/** Number of deals in a block. Large parts are whole blocks. */
const BLOCK = 1024;
/** Number of deals in the first part, small because a script may solve every deal. */
const FIRST_PART = 16;
/** Intended time of a part in milliseconds: short enough for smooth progress and a quick Stop. */
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

  async request<E extends Endpoint>(
    endpoint: E,
    body: Endpoints[E]['request'],
    signal?: AbortSignal,
  ): Promise<Endpoints[E]['answer']> {
    const answer = await this.pool.call(PARTS[endpoint] ?? CORE, endpoint, JSON.stringify(body), signal);
    return JSON.parse(answer) as Endpoints[E]['answer'];
  }

  async run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const end = (event: RunEvent) => {
      on(event.type === 'end' ? { ...event, seconds: (performance.now() - started) / 1000 } : event);
    };
    try {
      const opened = JSON.parse(await this.pool.call(CORE, 'run-open', JSON.stringify(request), signal)) as OpenedRun;
      on(opened.start);
      // All workers use the key that was chosen when the run was opened.
      const fixed = { ...request, seed: opened.start.seed };
      if (opened.deals === null) {
        const onEvent = (text: string) => on(JSON.parse(text) as RunEvent);
        end(JSON.parse(await this.pool.call(CORE, 'run-whole', JSON.stringify(fixed), signal, onEvent)) as RunEvent);
        return;
      }
      const parts = await this.parts(fixed, opened, on, signal);
      const texts = parts.map((part) => part.text);
      // After Stop the completed parts are still merged.
      const body = `{"request":${JSON.stringify(fixed)},"parts":[${texts.join(',')}]}`;
      end(JSON.parse(await this.pool.call(CORE, 'run-join', body)) as RunEvent);
    } catch (error) {
      if (signal.aborted) throw error;
      const data = error instanceof Problem ? error.data : { kind: 'run' as const, message: (error as Error).message };
      on({ type: 'problem', problem: data });
    }
  }

  /** Runs parts from the first deal on until the run is complete or stopped, and returns them. */
  private async parts(request: RunRequest, opened: OpenedRun, on: (event: RunEvent) => void, signal: AbortSignal) {
    const settings = await this.settings(request, signal);
    const wanted = opened.start.produce ?? Infinity;
    const limit = opened.deals!;
    const done: { text: string; partial: Partial }[] = [];
    const enough = new AbortController();
    signal.addEventListener('abort', () => enough.abort(), { once: true });
    let next = 0;
    let size = FIRST_PART;
    let given = 0;
    let ready = 0;
    let produced = 0;
    let generated = 0;

    const mergeReady = () => {
      // A part counts only when all parts before it are complete.
      while (done[ready] && produced < wanted) {
        const part = done[ready++].partial.parts[0];
        const room = wanted - produced;
        const deals = (part.deals ?? []).slice(0, room).map((it, i): Produced => {
          const number = opened.first_board + produced + i;
          const turn = byNumber(((((number - 1) % 16) + 16) % 16) + 1);
          return {
            index: it.number,
            ordinal: produced + i + 1,
            deal: it.deal,
            number,
            dealer: request.dealer ?? settings.dealer ?? turn.dealer,
            vulnerable: request.vulnerable ?? settings.vulnerable ?? turn.vulnerable,
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
        const text = await this.pool.call(
          CORE,
          'run-part',
          `{"request":${JSON.stringify(request)},"first":${first},"last":${last}}`,
          enough.signal,
        );
        const time = Math.max(1, performance.now() - begun);
        // After a quick part the next ones are larger, by at most a factor of four.
        const better = (last - first) * Math.min(4, PART_TIME / time);
        const whole = better < BLOCK ? Math.ceil(better) : Math.round(better / BLOCK) * BLOCK;
        size = Math.max(1, Math.min(whole, 1 << 28));
        done[mine] = { text, partial: JSON.parse(text) as Partial };
        mergeReady();
      }
    };
    const results = await Promise.allSettled(Array.from({ length: this.pool.size }, worker));
    const failed = results.find((it) => it.status === 'rejected' && !enough.signal.aborted);
    if (failed) throw (failed as PromiseRejectedResult).reason;
    if (ready === 0) throw new DOMException('stopped', 'AbortError');
    return done.slice(0, ready);
  }

  private async settings(
    request: RunRequest,
    signal: AbortSignal,
  ): Promise<{ dealer?: SeatName; vulnerable?: Vulnerability }> {
    const { script, dialect, imports, variables } = request;
    const answer = await this.request('check', { script, dialect, imports, variables }, signal);
    const settings: ScriptSettings | null = answer.settings;
    return {
      dealer: request.dealer ?? settings?.dealer ?? undefined,
      vulnerable: request.vulnerable ?? settings?.vulnerable ?? undefined,
    };
  }
}

/** Lets the browser keep the page and the engine, so that it opens without a network. Not possible everywhere. */
function keepForOffline(): void {
  void navigator.serviceWorker?.register('./offline.js').catch(() => {});
}

/** The smallest module with a SIMD instruction: a function that returns the first lane of a vector. */
const SIMD_MODULE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 27, 0, 11,
];

/** Returns the name of a module. Browsers without SIMD instructions get one that does without. */
function moduleName(part: string): string {
  const name = part === CORE ? 'croupier' : `croupier-${part}`;
  return WebAssembly.validate(new Uint8Array(SIMD_MODULE)) ? `${name}.wasm` : `${name}-basic.wasm`;
}

async function loadModule(part: string): Promise<WebAssembly.Module> {
  const address = new URL(moduleName(part), document.baseURI);
  const response = await fetch(address).catch((error: Error) => {
    throw new Error(`${address.pathname} cannot be loaded: ${error.message}`);
  });
  if (!response.ok) throw new Error(`${address.pathname} is not there (${response.status}); web/build makes it`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // The host did not send the content type of WebAssembly.
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export async function browserEngine(): Promise<Engine> {
  if (typeof WebAssembly === 'undefined') throw new Error('this browser has no WebAssembly');
  const wanted = Number(new URLSearchParams(location.search).get('workers'));
  const cores = navigator.hardwareConcurrency || 2;
  const pool = new Pool(loadModule, Math.max(1, Math.min(16, wanted || cores)));
  await pool.module(CORE);
  keepForOffline();
  return new BrowserEngine(pool);
}
