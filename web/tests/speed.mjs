// Speed of the page's engine as a ratio to the program on one thread, measured in turns.
//
//   node web/tests/speed.mjs

import { execFileSync } from 'node:child_process';

import { CROUPIER, DEALER, openEngine, program } from './harness.mjs';

const call = await openEngine();

/** Returns the median seconds of each function, measured in turns. */
function inTurns(ways, rounds = 5) {
  const times = ways.map(() => []);
  for (let i = 0; i < rounds; i++) {
    ways.forEach((way, w) => {
      const since = performance.now();
      way();
      times[w].push((performance.now() - since) / 1000);
    });
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)]);
}

const deals = 20_000_000;
const scripts = {
  'average of points': 'action average hcp(north)',
  'notrump hands counted':
    'condition hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332) action average hcp(south)',
  'losers and controls': 'condition losers(north) <= 5 && controls(south) >= 3 action frequency (hcp(north), 0, 30)',
};
for (const [name, script] of Object.entries(scripts)) {
  const request = { script, seed: '1', generate: deals };
  const [page, alone, start] = inTurns([
    () => call('run-part', { request, first: 0, last: deals }),
    () => program(DEALER, ['-R', '1', '-s', '1', '-g', String(deals), '--sampler', 'off', '-'], script),
    // A run without any deal would also compute why there is none.
    () => program(DEALER, ['-R', '1', '-s', '1', '-g', '1000', '--sampler', 'off', '-'], script),
  ]);
  console.log(
    `${name}: page ${(deals / page / 1e6).toFixed(1)} M deals/s, program ${(deals / (alone - start) / 1e6).toFixed(1)} M deals/s, ratio ${((alone - start) / page).toFixed(2)}`,
  );
}
const pbn = program(DEALER, ['-s', '1', '-p', '8', '--format', 'pbn', '-'], '');
const lines = program(DEALER, ['-s', '1', '-p', '8', '--format', 'oneline', '-'], '')
  .split('\n')
  .filter((line) => line.startsWith('n '))
  .map((line) => line.trim().split(' '));
const hands = lines.map((it) => `N:${it[1]} ${it[3]} ${it[5]} ${it[7]}`);
const [page, alone] = inTurns(
  [
    () => hands.forEach((deal) => call('solve', { deal })),
    () => execFileSync(CROUPIER, ['solve', '-R', '1', '-'], { input: pbn, stdio: ['pipe', 'ignore', 'ignore'] }),
  ],
  3,
);
console.log(
  `double-dummy tables: page ${(page / 8).toFixed(3)} s, program ${(alone / 8).toFixed(3)} s, ratio ${(alone / page).toFixed(2)}`,
);
