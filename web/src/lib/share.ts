// Links with a script and its seed in the fragment of the address, which browsers do not send to servers.

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

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const fromUrlSafe = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

async function pipeThrough(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const out = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

export async function pack(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return toUrlSafe(toBase64(await pipeThrough(bytes, new CompressionStream('deflate-raw'))));
}

/** Maximum size of an unpacked link. A script has at most a megabyte. */
const MAX_BYTES = 2_000_000;

function mixture(mix: Shared['mix']): Shared['mix'] {
  const { scripts, shares } = mix ?? {};
  const valid =
    Array.isArray(scripts) &&
    Array.isArray(shares) &&
    scripts.every((it) => typeof it === 'string') &&
    shares.every(Number.isInteger);
  return valid ? { scripts, shares } : undefined;
}

export async function unpack(text: string): Promise<Shared | null> {
  try {
    const bytes = await pipeThrough(fromBase64(fromUrlSafe(text)), new DecompressionStream('deflate-raw'));
    if (bytes.length > MAX_BYTES) return null;
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
