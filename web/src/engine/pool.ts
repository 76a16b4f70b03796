// A queue of requests, and one worker with its own engine for each core.

import { Problem, type ProblemData } from './engine';

interface Task {
  name: string;
  body: string;
  resolve(text: string): void;
  reject(error: unknown): void;
  signal?: AbortSignal;
  onEvent?: (event: string) => void;
  permit?: string;
}

/** Time in milliseconds after Stop until a worker that continues is terminated. */
const STOP_PATIENCE = 2000;

class Slot {
  worker: Worker | null = null;
  task: Task | null = null;
  id = 0;
}

export class Pool {
  private readonly slots: Slot[];
  private readonly queue: Task[] = [];

  constructor(
    private readonly module: WebAssembly.Module,
    size: number,
  ) {
    this.slots = Array.from({ length: size }, () => new Slot());
  }

  get size(): number {
    return this.slots.length;
  }

  /**
   * Answers a request on the next free worker; throws a `Problem`, or an `AbortError`. With events, the signal asks the
   * work to end early and return what it has; it is cancelled if it does not.
   */
  call(name: string, body: string, signal?: AbortSignal, onEvent?: (event: string) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DOMException('stopped', 'AbortError'));
      const permit = onEvent && URL.createObjectURL(new Blob(['go on']));
      const task: Task = { name, body, resolve, reject, signal, onEvent, permit };
      const abort = () => {
        if (!permit) return this.drop(task);
        URL.revokeObjectURL(permit);
        setTimeout(() => this.drop(task), STOP_PATIENCE);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.push(task);
      this.next();
    });
  }

  private next(): void {
    for (const slot of this.slots) {
      if (slot.task) continue;
      const task = this.queue.shift();
      if (!task) return;
      slot.task = task;
      slot.id += 1;
      slot.worker ??= this.start(slot);
      slot.worker.postMessage({ id: slot.id, name: task.name, body: task.body, permit: task.permit });
    }
  }

  private start(slot: Slot): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage(this.module);
    worker.addEventListener(
      'message',
      (event: MessageEvent<{ id: number; ok?: boolean; broken?: boolean; event?: boolean; text: string }>) => {
        const task = slot.task;
        if (slot.worker !== worker || !task || event.data.id !== slot.id) return;
        if (event.data.event) {
          task.onEvent?.(event.data.text);
          return;
        }
        slot.task = null;
        if (event.data.broken) {
          this.end(slot);
          task.reject(new Problem({ kind: 'run', message: event.data.text }));
        } else if (event.data.ok) {
          task.resolve(event.data.text);
        } else {
          task.reject(new Problem(JSON.parse(event.data.text) as ProblemData));
        }
        this.next();
      },
    );
    worker.addEventListener('error', (event) => {
      const task = slot.task;
      slot.task = null;
      this.end(slot);
      task?.reject(new Problem({ kind: 'run', message: event.message || 'the engine could not be started' }));
      this.next();
    });
    return worker;
  }

  private end(slot: Slot): void {
    slot.worker?.terminate();
    slot.worker = null;
  }

  /** Cancels a task. A worker that is busy with it is terminated, because it cannot receive messages during a call. */
  private drop(task: Task): void {
    const waiting = this.queue.indexOf(task);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    const slot = this.slots.find((it) => it.task === task);
    if (slot) {
      slot.task = null;
      this.end(slot);
    }
    task.reject(new DOMException('stopped', 'AbortError'));
    this.next();
  }
}
