// The engine's three functions over linear memory: a name and a question go in as text, an answer comes out as text.

interface Exports {
  memory: WebAssembly.Memory;
  /** Room for so many bytes. */
  take(bytes: number): number;
  /** Answers the question in that room, and gives it back; where the answer is: its length (4 bytes) and its text. */
  call(room: number, bytes: number): number;
  /** The answer has been read. */
  release(answer: number): void;
}

export interface Answer {
  ok: boolean;
  text: string;
}

export class Instance {
  private constructor(
    private readonly engine: Exports,
    private readonly lastWords: { text: string },
    private readonly ear: { hear?: (event: string) => void },
  ) {}

  static async open(module: WebAssembly.Module): Promise<Instance> {
    const lastWords = { text: '' };
    const ear: { hear?: (event: string) => void } = {};
    let memory: WebAssembly.Memory;
    const imports = {
      croupier: {
        entropy: (at: number, bytes: number) => {
          // In portions: browsers give at most 64 KB at a time.
          for (let done = 0; done < bytes; done += 65536) {
            crypto.getRandomValues(new Uint8Array(memory.buffer, at + done, Math.min(65536, bytes - done)));
          }
        },
        complain: (at: number, bytes: number) => {
          lastWords.text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes));
        },
        tell: (at: number, bytes: number) => {
          ear.hear?.(new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes)));
        },
      },
    };
    const instance = await WebAssembly.instantiate(module, imports);
    const engine = instance.exports as unknown as Exports;
    memory = engine.memory;
    return new Instance(engine, lastWords, ear);
  }

  call(name: string, body: string, hear?: (event: string) => void): Answer {
    this.ear.hear = hear;
    const question = new TextEncoder().encode(`${name}\n${body}`);
    const room = this.engine.take(question.length);
    new Uint8Array(this.engine.memory.buffer, room, question.length).set(question);
    let at: number;
    try {
      at = this.engine.call(room, question.length);
    } catch (error) {
      throw new Error(this.lastWords.text || `the engine stopped: ${(error as Error).message}`);
    }
    const length = new DataView(this.engine.memory.buffer).getUint32(at, true);
    const bytes = new Uint8Array(this.engine.memory.buffer, at + 4, length);
    // The first byte says whether it is an answer or a problem.
    const ok = bytes[0] === 0x2b;
    const text = new TextDecoder().decode(bytes.subarray(1));
    this.engine.release(at);
    return { ok, text };
  }
}
