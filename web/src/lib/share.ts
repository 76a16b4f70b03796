// A script and its seed in the fragment of an address: nothing of it is ever sent to a server.

import { fromBase64, toBase64 } from './format';

export interface Shared {
  script: string;
  seed?: string;
  produce?: number;
  /** Shares of classes. */
  level?: string;
  /** Further scripts, and the shares of all. */
  mix?: { scripts: string[]; shares: number[] };
}

const url = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const plain = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const out = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

export async function pack(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return url(toBase64(await through(bytes, new CompressionStream('deflate-raw'))));
}

/** A link cannot be larger than this once unpacked: a script has a megabyte at most. */
const LARGEST = 2_000_000;

function mixture(mix: Shared['mix']): Shared['mix'] {
  const { scripts, shares } = mix ?? {};
  const whole = Array.isArray(scripts) && Array.isArray(shares) && scripts.every((it) => typeof it === 'string') && shares.every(Number.isInteger);
  return whole ? { scripts, shares } : undefined;
}

export async function unpack(text: string): Promise<Shared | null> {
  try {
    const bytes = await through(fromBase64(plain(text)), new DecompressionStream('deflate-raw'));
    if (bytes.length > LARGEST) return null;
    const shared = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    if (typeof shared.script !== 'string') return null;
    return {
      script: shared.script,
      seed: shared.seed === undefined ? undefined : String(shared.seed),
      produce: typeof shared.produce === 'number' ? shared.produce : undefined,
      level: typeof shared.level === 'string' ? shared.level : undefined,
      mix: mixture(shared.mix),
    };
  } catch {
    return null;
  }
}
