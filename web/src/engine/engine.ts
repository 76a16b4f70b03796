// The interface of both engines, and their errors.

import type * as types from './types';
import type { Endpoint, Endpoints, RunRequest } from './types';

/** An error reported by croupier, or a broken connection. */
export type ProblemData = Omit<types.RequestError, 'kind'> & { kind: types.RequestErrorKind | 'connection' };

/** An event of a run. */
export type RunEvent = Exclude<types.RunEvent, { type: 'problem' }> | { type: 'problem'; problem: ProblemData };

/** An error that the engine reported. */
export class Problem extends Error {
  constructor(readonly data: ProblemData) {
    super(data.message);
  }
}

/** The interface of both engines: `croupier serve`, and WebAssembly workers. */
export interface Engine {
  readonly kind: 'server' | 'browser';
  /** Number of requests that it processes at a time. */
  readonly workers: number;
  /** Description of the place where it runs. */
  readonly place: string;
  /** Address of a static page that everybody can open, if this page is on the reader's own computer and one is known. */
  readonly publicPage?: string;
  /** Sends a request; throws a [`Problem`], or an `AbortError` when the signal fires. */
  request<E extends Endpoint>(
    endpoint: E,
    body: Endpoints[E]['request'],
    signal?: AbortSignal,
  ): Promise<Endpoints[E]['answer']>;
  /** Runs a script; resolves when the run has ended, after its last event. The signal stops it: the last event then has
   * the statistics so far. */
  run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void>;
}
