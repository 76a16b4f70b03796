// Instances of the parts of the engine. A worker answers one call at a time; a slow call is cancelled by terminating the
// worker.

import { Instance } from './instance';

interface Call {
  id: number;
  name: string;
  body: string;
  /** Part of the engine that answers. */
  part: string;
  /** Module of the part, with the first call for this part. */
  module?: WebAssembly.Module;
  /** Address of a blob that is revoked when the call shall stop. */
  permit?: string;
}

/** Interval in milliseconds at which a call checks whether it shall stop. */
const ASK_INTERVAL = 100;

/**
 * Returns a function that returns whether a call shall stop. A worker receives no messages during a call, and memory can
 * be shared only on hosts that send special headers. But it can load a blob, until the page revokes the blob's address.
 */
function stopRequested(permit: string | undefined): () => boolean {
  let asked = performance.now();
  return () => {
    if (!permit || performance.now() - asked < ASK_INTERVAL) return false;
    asked = performance.now();
    try {
      const request = new XMLHttpRequest();
      request.open('GET', permit, false);
      request.send();
      return false;
    } catch {
      return true;
    }
  };
}

const instances = new Map<string, Promise<Instance>>();

addEventListener('message', async (event: MessageEvent<Call>) => {
  const { id, name, body, part, module, permit } = event.data;
  const isStopped = stopRequested(permit);
  try {
    if (module) instances.set(part, Instance.open(module));
    const instance = await instances.get(part)!;
    const answer = instance.call(name, body, (text) => {
      postMessage({ id, event: true, text });
      return isStopped();
    });
    postMessage({ id, ...answer });
  } catch (error) {
    // After a trap the instance cannot be used again, so the pool starts a new worker.
    postMessage({ id, broken: true, text: String((error as Error).message ?? error) });
  }
});
