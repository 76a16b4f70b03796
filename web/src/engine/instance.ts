// The engine's interface over linear memory: the endpoint and the request are passed as text, and so is the answer.

interface Exports {
  memory: WebAssembly.Memory;
  /** Allocates `bytes` bytes and returns their address. */
  take(bytes: number): number;
  /** Answers the request in `buffer` and frees it. Returns the address of the answer: length (4 bytes) and text. */
  call(buffer: number, bytes: number): number;
  /** Frees an answer. */
  release(answer: number): void;
}

export interface Answer {
  ok: boolean;
  text: string;
}

/** Receives an event of a run; returns whether the run shall stop. */
export type OnEvent = (event: string) => boolean;

export class Instance {
  private constructor(
    private readonly engine: Exports,
    private readonly panicMessage: { text: string },
    private readonly listener: { onEvent?: OnEvent },
  ) {}

  static async open(module: WebAssembly.Module): Promise<Instance> {
    const panicMessage = { text: '' };
    const listener: { onEvent?: OnEvent } = {};
    let memory: WebAssembly.Memory;
    const imports = {
      croupier: {
        entropy: (at: number, bytes: number) => {
          // Browsers give at most 64 KB in one call.
          for (let done = 0; done < bytes; done += 65536) {
            crypto.getRandomValues(new Uint8Array(memory.buffer, at + done, Math.min(65536, bytes - done)));
          }
        },
        complain: (at: number, bytes: number) => {
          panicMessage.text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes));
        },
        tell: (at: number, bytes: number) =>
          Number(listener.onEvent?.(new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes))) ?? false),
      },
    };
    const instance = await WebAssembly.instantiate(module, imports);
    const engine = instance.exports as unknown as Exports;
    memory = engine.memory;
    return new Instance(engine, panicMessage, listener);
  }

  call(name: string, body: string, onEvent?: OnEvent): Answer {
    this.listener.onEvent = onEvent;
    const request = new TextEncoder().encode(`${name}\n${body}`);
    const buffer = this.engine.take(request.length);
    new Uint8Array(this.engine.memory.buffer, buffer, request.length).set(request);
    let at: number;
    try {
      at = this.engine.call(buffer, request.length);
    } catch (error) {
      throw new Error(this.panicMessage.text || `the engine stopped: ${(error as Error).message}`);
    }
    const length = new DataView(this.engine.memory.buffer).getUint32(at, true);
    const bytes = new Uint8Array(this.engine.memory.buffer, at + 4, length);
    // The first byte is `+` for an answer; otherwise the text is a problem.
    const ok = bytes[0] === 0x2b;
    const text = new TextDecoder().decode(bytes.subarray(1));
    this.engine.release(at);
    return { ok, text };
  }
}
