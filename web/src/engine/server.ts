// The engine behind `croupier serve`: requests by POST, runs as server-sent events.

import {
  Problem,
  type Engine,
  type ProblemData,
  type Endpoint,
  type Endpoints,
  type RunEvent,
  type RunRequest,
} from './types';

interface Info {
  version: string;
  threads: number;
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

  constructor(info: Info) {
    this.workers = Math.max(1, info.threads);
    this.place = `croupier ${info.version}, ${info.threads} thread${info.threads === 1 ? '' : 's'}`;
  }

  async request<E extends Endpoint>(
    endpoint: E,
    body: Endpoints[E]['request'],
    signal?: AbortSignal,
  ): Promise<Endpoints[E]['answer']> {
    const response = await send(`api/${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    return (await response.json()) as Endpoints[E]['answer'];
  }

  async run(request: RunRequest, on: (event: RunEvent) => void, signal: AbortSignal): Promise<void> {
    const response = await send('api/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(request),
      signal,
    });
    let ended = false;
    for await (const data of events(response.body!)) {
      const event = JSON.parse(data) as RunEvent;
      ended = event.type === 'end' || event.type === 'problem';
      on(event);
    }
    if (!ended && !signal.aborted) {
      on({ type: 'problem', problem: { kind: 'connection', message: 'the connection to croupier serve broke off' } });
    }
  }
}

export async function serverEngine(): Promise<Engine> {
  const response = await send('api/info', {});
  return new ServerEngine((await response.json()) as Info);
}
