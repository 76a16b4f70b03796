// A queue of requests, and one worker with its own engine for each core. Modules of the engine are loaded at their first use.

import { Problem, type ProblemData } from './engine';

interface Task {
  name: string;
  body: string;
  part: string;
  module: WebAssembly.Module;
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
  /** Parts of the engine whose modules the worker has. */
  readonly parts = new Set<string>();
}

/** Loads the module of a part of the engine. */
export type LoadModule = (part: string) => Promise<WebAssembly.Module>;

export class Pool {
  private readonly slots: Slot[];
  private readonly queue: Task[] = [];

  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();

  constructor(
    private readonly load: LoadModule,
    size: number,
  ) {
    this.slots = Array.from({ length: size }, () => new Slot());
  }

  get size(): number {
    return this.slots.length;
  }

  /** Returns the module of a part. It is loaded once, and again only if that failed. */
  module(part: string): Promise<WebAssembly.Module> {
    let module = this.modules.get(part);
    if (!module) {
      module = this.load(part);
      module.catch(() => this.modules.delete(part));
      this.modules.set(part, module);
    }
    return module;
  }

  /**
   * Answers a request on the next free worker; throws a `Problem`, or an `AbortError`. With events, the signal asks the
   * work to end early and return what it has; it is cancelled if it does not.
   */
  async call(
    part: string,
    name: string,
    body: string,
    signal?: AbortSignal,
    onEvent?: (event: string) => void,
  ): Promise<string> {
    const module = await this.module(part);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DOMException('stopped', 'AbortError'));
      const permit = onEvent && URL.createObjectURL(new Blob(['go on']));
      const task: Task = { name, body, part, module, resolve, reject, signal, onEvent, permit };
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
      const { name, body, part, permit } = task;
      const module = slot.parts.has(part) ? undefined : task.module;
      slot.parts.add(part);
      slot.worker.postMessage({ id: slot.id, name, body, part, module, permit });
    }
  }

  private start(slot: Slot): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
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
    slot.parts.clear();
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
