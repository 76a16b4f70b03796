// The double-dummy search in WebAssembly gives the results of the native one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { croupierServer, openEngine, ROOT } from './harness.mjs';

let engine;
before(async () => {
  engine = await openEngine();
});

/** Returns deals on which five solvers agree: rows N E S W, columns clubs to notrump. */
function solvedDeals() {
  const [heading, ...lines] = readFileSync(join(ROOT, 'crates/solver/tests/data/tables.csv'), 'utf8')
    .trim()
    .split('\n');
  const columns = heading
    .split(',')
    .slice(1)
    .map((name) => name.split('_'));
  return lines.map((line) => {
    const [deal, ...numbers] = line.split(',');
    const tricks = [...'NESW'].map((seat) =>
      ['C', 'D', 'H', 'S', 'NT'].map((strain) =>
        Number(numbers[columns.findIndex((it) => it[0] === strain && it[1] === seat)]),
      ),
    );
    return { deal, tricks };
  });
}

test('a hundred tables are as five solvers say', () => {
  const deals = solvedDeals();
  assert.equal(deals.length, 100);
  for (const { deal, tricks } of deals) assert.deepEqual(engine('solve', { deal }).tricks, tricks, deal);
});

test('every position of ten boards has the values that the program finds', async () => {
  const server = await croupierServer();
  try {
    for (const [number, { deal }] of solvedDeals().slice(0, 10).entries()) {
      const ask = { deal, declarer: 'NESW'[number % 4], strain: 'CDHSN'[number % 5], played: [] };
      for (;;) {
        const here = engine('play', ask);
        const response = await fetch(`${server.url}api/play`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(ask),
        });
        assert.equal(response.status, 200);
        assert.deepEqual(here, await response.json(), JSON.stringify(ask));
        if (here.turn === null) break;
        // A mixture of good and bad cards.
        const { cards } = here;
        ask.played.push(cards[(7 * ask.played.length + 3 * number) % cards.length].card);
      }
      assert.equal(ask.played.length, 52);
    }
  } finally {
    server.close();
  }
});
