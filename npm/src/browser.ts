// The engine in browsers and bundlers.

import { openWith, type Engine, type LoadModule } from './engine.js';
import { MODULES } from './modules.js';

export * from './engine.js';

const loadModule: LoadModule = async (part) => {
  const response = await fetch(MODULES[part]());
  if (!response.ok) throw new Error(`${response.url} cannot be loaded: status ${response.status}`);
  // Not every server sends the content type that streaming needs.
  return WebAssembly.compile(await response.arrayBuffer());
};

/** Opens the engine. `load` returns other modules than those of this package. */
export function openEngine(load: LoadModule = loadModule): Promise<Engine> {
  return openWith(load);
}
