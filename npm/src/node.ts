// The engine in Node.

import { readFile } from 'node:fs/promises';

import { openWith, type Engine, type LoadModule } from './engine.js';
import { MODULES } from './modules.js';

export * from './engine.js';

const loadModule: LoadModule = async (part) => WebAssembly.compile(await readFile(MODULES[part]()));

/** Opens the engine. `load` returns other modules than those of this package. */
export function openEngine(load: LoadModule = loadModule): Promise<Engine> {
  return openWith(load);
}
