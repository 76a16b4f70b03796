// The engine as an object: requests with typed answers, and runs of scripts.

import { Instance } from './instance.js';
import {
  PARTS,
  type Diagnostic,
  type Endpoint,
  type Endpoints,
  type Produced,
  type RequestError,
  type RequestErrorKind,
  type RunEvent,
  type RunRequest,
} from './types.js';

export { PARTS } from './types.js';
export type * from './types.js';

/** Loads and compiles the module of a part of the engine. The part `core` runs scripts; `PARTS` has the others. */
export type LoadModule = (part: string) => Promise<WebAssembly.Module>;

/** Part of the engine that runs scripts and answers the requests of no other part. */
const CORE = 'core';

/** An error that the engine reports: what is wrong, and what would be right. */
export class EngineError extends Error {
  readonly kind: RequestErrorKind;
  /** Messages about the script, with their places. */
  readonly diagnostics: Diagnostic[];

  constructor(error: RequestError) {
    super(error.message);
    this.name = 'EngineError';
    this.kind = error.kind;
    this.diagnostics = error.diagnostics ?? [];
  }
}

/** The last event of a run, with its seed and all deals. */
export interface RunResult extends Omit<Extract<RunEvent, { type: 'end' }>, 'type'> {
  /** Seed that repeats the run. */
  seed: string;
  /** Names of the values of each deal. */
  columns: string[];
  /** Warnings about the script. */
  warnings: Diagnostic[];
  /** Deals, in order. */
  deals: Produced[];
}

/** The engine. Its calls block their thread; a page that must stay responsive uses it in a worker. */
export class Engine {
  private readonly instances = new Map<string, Promise<Instance>>();

  /** Use `openEngine`. */
  constructor(private readonly load: LoadModule) {}

  /** Sends a request, such as `solve`, `probability` or `equity`; throws an [`EngineError`]. */
  async request<E extends Endpoint>(endpoint: E, body: Endpoints[E]['request']): Promise<Endpoints[E]['answer']> {
    const part = PARTS[endpoint] ?? CORE;
    return JSON.parse(await this.call(part, endpoint, JSON.stringify(body))) as Endpoints[E]['answer'];
  }

  /**
   * Runs a script; throws an [`EngineError`]. `onEvent` receives deals and progress as they come, and stops the run by
   * returning true.
   */
  async run(request: RunRequest, onEvent?: (event: RunEvent) => boolean | void): Promise<RunResult> {
    const opened = JSON.parse(await this.call(CORE, 'run-open', JSON.stringify(request))) as {
      start: Extract<RunEvent, { type: 'start' }>;
    };
    const { seed, columns, warnings } = opened.start;
    const deals: Produced[] = [];
    const receive = (text: string): boolean => {
      const event = JSON.parse(text) as RunEvent;
      if (event.type === 'deals') deals.push(...event.deals);
      return onEvent?.(event) === true;
    };
    const last = await this.call(CORE, 'run-whole', JSON.stringify({ ...request, seed }), receive);
    const event = JSON.parse(last) as RunEvent;
    if (event.type === 'problem') throw new EngineError(event.problem);
    const { type: _, ...end } = event as Extract<RunEvent, { type: 'end' }>;
    return { ...end, seed, columns, warnings, deals };
  }

  private async call(part: string, name: string, body: string, onEvent?: (event: string) => boolean): Promise<string> {
    const instance = await this.instance(part);
    let answer;
    try {
      answer = instance.call(name, body, onEvent);
    } catch (error) {
      // After a trap an instance cannot be used again.
      this.instances.delete(part);
      throw error;
    }
    if (!answer.ok) throw new EngineError(JSON.parse(answer.text) as RequestError);
    return answer.text;
  }

  private instance(part: string): Promise<Instance> {
    let instance = this.instances.get(part);
    if (!instance) {
      instance = this.load(part).then((module) => Instance.open(module));
      instance.catch(() => this.instances.delete(part));
      this.instances.set(part, instance);
    }
    return instance;
  }
}

/** Opens the engine with the modules that `load` returns. The first module is loaded at once, the others at their first use. */
export async function openWith(load: LoadModule): Promise<Engine> {
  const engine = new Engine(load);
  await engine.request('formats', {});
  return engine;
}
