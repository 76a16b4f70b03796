// As many workers as there are cores, each with an engine of its own, and a queue in front of them.

import { Problem, type ProblemData } from './types';

interface Task {
  name: string;
  body: string;
  resolve(text: string): void;
  reject(error: unknown): void;
  signal?: AbortSignal;
  hear?: (event: string) => void;
}

class Hand {
  worker: Worker | null = null;
  task: Task | null = null;
  id = 0;
}

export class Pool {
  private readonly hands: Hand[];
  private readonly queue: Task[] = [];

  constructor(
    private readonly module: WebAssembly.Module,
    size: number,
  ) {
    this.hands = Array.from({ length: size }, () => new Hand());
  }

  get size(): number {
    return this.hands.length;
  }

  /** Answers a question on the next free worker; throws a `Problem`, or an `AbortError`. */
  ask(name: string, body: string, signal?: AbortSignal, hear?: (event: string) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DOMException('stopped', 'AbortError'));
      const task: Task = { name, body, resolve, reject, signal, hear };
      signal?.addEventListener('abort', () => this.drop(task), { once: true });
      this.queue.push(task);
      this.next();
    });
  }

  private next(): void {
    for (const hand of this.hands) {
      if (hand.task) continue;
      const task = this.queue.shift();
      if (!task) return;
      hand.task = task;
      hand.id += 1;
      hand.worker ??= this.start(hand);
      hand.worker.postMessage({ id: hand.id, name: task.name, body: task.body });
    }
  }

  private start(hand: Hand): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage(this.module);
    worker.addEventListener('message', (event: MessageEvent<{ id: number; ok?: boolean; broken?: boolean; event?: boolean; text: string }>) => {
      const task = hand.task;
      if (hand.worker !== worker || !task || event.data.id !== hand.id) return;
      if (event.data.event) {
        task.hear?.(event.data.text);
        return;
      }
      hand.task = null;
      if (event.data.broken) {
        this.end(hand);
        task.reject(new Problem({ kind: 'run', message: event.data.text }));
      } else if (event.data.ok) {
        task.resolve(event.data.text);
      } else {
        task.reject(new Problem(JSON.parse(event.data.text) as ProblemData));
      }
      this.next();
    });
    worker.addEventListener('error', (event) => {
      const task = hand.task;
      hand.task = null;
      this.end(hand);
      task?.reject(new Problem({ kind: 'run', message: event.message || 'the engine could not be started' }));
      this.next();
    });
    return worker;
  }

  private end(hand: Hand): void {
    hand.worker?.terminate();
    hand.worker = null;
  }

  /** A task that nobody waits for: a worker that is busy with it is ended, for it would not hear a message. */
  private drop(task: Task): void {
    const waiting = this.queue.indexOf(task);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    const hand = this.hands.find((it) => it.task === task);
    if (hand) {
      hand.task = null;
      this.end(hand);
    }
    task.reject(new DOMException('stopped', 'AbortError'));
    this.next();
  }
}
