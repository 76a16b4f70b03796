// The engine in Node.

import { readFile } from 'node:fs/promises';

import { openWith, type Engine, type LoadModule } from './engine.js';

export * from './engine.js';

const loadModule: LoadModule = async (part) => {
  const name = part === 'core' ? 'croupier.wasm' : `croupier-${part}.wasm`;
  return WebAssembly.compile(await readFile(new URL(name, import.meta.url)));
};

/** Opens the engine. `load` returns other modules than those of this package. */
export function openEngine(load: LoadModule = loadModule): Promise<Engine> {
  return openWith(load);
}
