// Studies over many deals: layouts are dealt, solved in small portions by as many workers as there are, and put
// together by the engine. So progress shows at once, and Stop keeps what is done.

import { Problem, type RunRequest } from '../engine';
import { engine } from './app.svelte';

/** The deals of a script, up to so many. */
export async function layouts(request: RunRequest, signal: AbortSignal): Promise<string[]> {
  const deals: string[] = [];
  await engine().run(
    { ...request, deals_only: true },
    (event) => {
      if (event.type === 'deals') deals.push(...event.deals.map((it) => it.deal));
      if (event.type === 'problem') throw new Problem(event.problem);
    },
    signal,
  );
  if (!deals.length && !signal.aborted) throw new Error('No deal satisfies the condition.');
  return deals;
}

/** Applies `work` to portions of the deals on all workers, and gives the rows in the order of the deals. */
export async function inPortions(
  deals: string[],
  work: (portion: string[], signal: AbortSignal) => Promise<number[][]>,
  progress: (rows: number[][]) => void,
  signal: AbortSignal,
): Promise<void> {
  const size = 4;
  const done: number[][][] = [];
  let next = 0;
  const portions = Math.ceil(deals.length / size);
  const worker = async () => {
    while (next < portions && !signal.aborted) {
      const mine = next++;
      done[mine] = await work(deals.slice(mine * size, (mine + 1) * size), signal);
      progress(done.filter(Boolean).flat());
    }
  };
  await Promise.all(Array.from({ length: Math.min(engine().workers, portions) }, worker));
}
