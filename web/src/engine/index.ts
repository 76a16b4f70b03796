// Chooses the engine: the server that sent the page, or WebAssembly in the page.

import { browserEngine } from './browser';
import { serverEngine } from './server';
import type { Engine } from './engine';

export * from './types';
// These two types replace the generated types of the same names.
export type { ProblemData, RunEvent } from './engine';
export { Problem, type Engine } from './engine';

export async function openEngine(): Promise<Engine> {
  const wanted =
    new URLSearchParams(location.search).get('engine') ??
    document.querySelector<HTMLMetaElement>('meta[name="croupier-engine"]')?.content;
  return wanted === 'server' ? serverEngine() : browserEngine();
}
