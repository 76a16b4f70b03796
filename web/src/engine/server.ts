// The engine behind `croupier serve`: requests by POST, runs as server-sent events.

import { Problem, type Engine, type ProblemData, type RunEvent } from './engine';
import type { Endpoint, Endpoints, RunRequest } from './types';

/** Time in milliseconds after Stop until the page no longer waits for the statistics. */
const STOP_PATIENCE = 5000;

interface Info {
  version: string;
  threads: number;
  public_page?: string;
}

async function problem(response: Response): Promise<Problem> {
  let data: ProblemData = {
    kind: 'connection',
    message: `the server answered ${response.status} ${response.statusText}`,
  };
  try {
    data = (await response.json()) as ProblemData;
  } catch {
    // The body is not an answer of croupier, so only the status is reported.
  }
  return new Problem(data);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem({ kind: 'connection', message: 'croupier serve does not answer. Is it still running?' });
  }
  if (!response.ok) throw await problem(response);
  return response;
}

/** Yields the data lines of a stream of events. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let buffer = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer += value;
      let end: number;
      while ((end = buffer.indexOf('\n\n')) >= 0) {
        const lines = buffer.slice(0, end).split('\n');
        buffer = buffer.slice(end + 2);
        const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
        if (data.length > 0) yield data.join('\n');
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

class ServerEngine implements Engine {
  readonly kind = 'server';
  readonly workers: number;
  readonly place: string;
  readonly publicPage?: string;

  constructor(info: Info) {
    this.workers = Math.max(1, info.threads);
    this.publicPage = info.public_page;
    this.place = `croupier ${info.version}, ${info.threads} thread${info.threads === 1 ? '' : 's'}`;
  }

  async request<E extends Endpoint>(
    endpoint: E,
    body: Endpoints[E]['request'],
    signal?: AbortSignal,
  ): Promise<Endpoints[E]['answer']> {
    const response = await this.post(endpoint, body, signal);
    return (await response.json()) as Endpoints[E]['answer'];
  }

  async run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void> {
    // The connection stays open after Stop, because the statistics so far are still sent.
    const connection = new AbortController();
    let name = '';
    const stop = () => {
      if (name) void this.post('stop', { run: name }).catch(() => connection.abort());
      else connection.abort();
      setTimeout(() => connection.abort(), STOP_PATIENCE);
    };
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    let ended = false;
    try {
      const response = await send('api/run', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(request),
        signal: connection.signal,
      });
      for await (const data of events(response.body!)) {
        const event = JSON.parse(data) as RunEvent;
        if (event.type === 'start') name = event.run ?? '';
        ended = event.type === 'end' || event.type === 'problem';
        on(event);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (!ended && !signal.aborted) {
      on({ type: 'problem', problem: { kind: 'connection', message: 'the connection to croupier serve broke off' } });
    }
  }

  private post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    return send(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  }
}

export async function serverEngine(): Promise<Engine> {
  const response = await send('api/info', {});
  return new ServerEngine((await response.json()) as Info);
}
