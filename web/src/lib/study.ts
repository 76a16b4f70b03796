// Studies of many deals: the deals of a script are solved in small portions by all workers, and the engine computes the
// results from the rows so far. Stop keeps the rows that are complete.

import { type ContractTricks, Problem, type RunRequest } from '../engine';
import { engine } from './app.svelte';

/** Returns the deals of a script. */
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

/** Calls `work` for portions of `size` deals on all workers, and `progress` with the rows from the first deal on. */
async function inPortions(
  deals: string[],
  size: number,
  work: (portion: string[], first: number, signal: AbortSignal) => Promise<ContractTricks>,
  progress: (rows: ContractTricks) => void,
  signal: AbortSignal,
): Promise<void> {
  const done: ContractTricks[] = [];
  const rows: ContractTricks = { tricks: [], bounds: [] };
  let next = 0;
  let joined = 0;
  const portions = Math.ceil(deals.length / size);
  const worker = async () => {
    while (next < portions && !signal.aborted) {
      const mine = next++;
      done[mine] = await work(deals.slice(mine * size, (mine + 1) * size), mine * size, signal);
      for (; done[joined]; joined++) {
        rows.tricks.push(...done[joined].tricks);
        rows.bounds.push(...done[joined].bounds);
      }
      progress({ tricks: rows.tricks.slice(), bounds: rows.bounds.slice() });
    }
  };
  await Promise.all(Array.from({ length: Math.min(engine().workers, portions) }, worker));
}

/** Calls `put` with the newest rows, one call at a time; rows that arrive during a call replace waiting ones. */
function latest(put: (rows: ContractTricks) => Promise<void>) {
  let waiting: ContractTricks | null = null;
  let busy: Promise<void> | null = null;
  const drain = async () => {
    while (waiting) {
      const rows = waiting;
      waiting = null;
      await put(rows);
    }
    busy = null;
  };
  return {
    show(rows: ContractTricks) {
      waiting = rows;
      busy ??= drain();
    },
    async end() {
      await busy;
    },
  };
}

/** Deals in a portion of a study without and with a plan. With a plan most deals are only screened, which is faster. */
const PORTION = 4;
const PLANNED_PORTION = 16;

/** Solves deals until there are no more or `results` returns that the study is complete. */
export async function solve(
  deals: string[],
  isPlanned: boolean,
  work: (portion: string[], first: number, signal: AbortSignal) => Promise<ContractTricks>,
  results: (rows: ContractTricks) => Promise<{ complete: boolean }>,
  signal: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  signal.addEventListener('abort', () => enough.abort(), { once: true });
  const table = latest(async (rows) => {
    if ((await results(rows)).complete) enough.abort();
  });
  try {
    await inPortions(deals, isPlanned ? PLANNED_PORTION : PORTION, work, table.show, enough.signal);
  } catch (error) {
    // When the study is complete, unfinished portions are cancelled.
    if (signal.aborted || !enough.signal.aborted) throw error;
  } finally {
    await table.end();
  }
}
