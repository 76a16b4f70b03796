// One instance of the engine. It answers one call at a time; a slow call is cancelled by terminating the worker.

import { Instance } from './instance';

interface Call {
  id: number;
  name: string;
  body: string;
}

let instance: Promise<Instance> | null = null;

addEventListener('message', async (event: MessageEvent<WebAssembly.Module | Call>) => {
  const data = event.data;
  if (data instanceof WebAssembly.Module) {
    instance = Instance.open(data);
    return;
  }
  const { id, name, body } = data;
  try {
    const answer = (await instance!).call(name, body, (text) => postMessage({ id, event: true, text }));
    postMessage({ id, ...answer });
  } catch (error) {
    // After a trap the instance cannot be used again, so the pool starts a new worker.
    postMessage({ id, broken: true, text: String((error as Error).message ?? error) });
  }
});
