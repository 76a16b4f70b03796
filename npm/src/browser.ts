// The engine in browsers and bundlers, which recognise `new URL(FILE, import.meta.url)` as a file to serve.

import { openWith, type Engine, type LoadModule, type Part } from './engine.js';

export * from './engine.js';

function address(part: Part): URL {
  switch (part) {
    case 'core':
      return new URL('./croupier.wasm', import.meta.url);
    case 'card-play':
      return new URL('./croupier-card-play.wasm', import.meta.url);
    case 'poker':
      return new URL('./croupier-poker.wasm', import.meta.url);
  }
}

const loadModule: LoadModule = async (part) => {
  const response = await fetch(address(part));
  if (!response.ok) throw new Error(`${response.url} cannot be loaded: status ${response.status}`);
  // Not every server sends the content type that streaming needs.
  return WebAssembly.compile(await response.arrayBuffer());
};

/** Opens the engine. `load` returns other modules than those of this package. */
export function openEngine(load: LoadModule = loadModule): Promise<Engine> {
  return openWith(load);
}
