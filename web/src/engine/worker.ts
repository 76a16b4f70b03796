// One instance of the engine. It answers one call at a time; a slow call is cancelled by terminating the worker.

import { Instance } from './instance';

interface Call {
  id: number;
  name: string;
  body: string;
  /** Address of a blob that is revoked when the call shall stop. */
  permit?: string;
}

/** Interval in milliseconds between checks whether a call shall stop. */
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

let instance: Promise<Instance> | null = null;

addEventListener('message', async (event: MessageEvent<WebAssembly.Module | Call>) => {
  const data = event.data;
  if (data instanceof WebAssembly.Module) {
    instance = Instance.open(data);
    return;
  }
  const { id, name, body, permit } = data;
  const isStopped = stopRequested(permit);
  try {
    const answer = (await instance!).call(name, body, (text) => {
      postMessage({ id, event: true, text });
      return isStopped();
    });
    postMessage({ id, ...answer });
  } catch (error) {
    // After a trap the instance cannot be used again, so the pool starts a new worker.
    postMessage({ id, broken: true, text: String((error as Error).message ?? error) });
  }
});
