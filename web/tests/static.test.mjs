// The static page: its output equals that of the program, and it is small and fast.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { DEALER, openBrowser, openPage, openServers, program, ROOT } from './harness.mjs';

let browser;
let servers;
before(async () => {
  [browser, servers] = await Promise.all([openBrowser(), openServers()]);
});
after(async () => {
  await browser?.close();
  servers?.server.close();
  servers?.browser.close();
});

const NOTRUMP = 'hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)';

/** Twenty scripts: every action, rare conditions, predeal, classes of their own, the sampler and no sampler. */
const SCRIPTS = [
  'action printall',
  `condition ${NOTRUMP} action printoneline`,
  `condition ${NOTRUMP} action printcompact, average "points" hcp(south)`,
  'produce 5 condition hearts(north) == 7 action printpbn',
  'produce 3 condition hcp(north) + hcp(south) >= 36 action printoneline(hcp(north))',
  'produce 7 condition hcp(north) > 24 action printew',
  'produce 7 condition losers(south) <= 3 action printns',
  'generate 20000 condition hcp(east) > 12 action average "lengths" spades(east), frequency "hearts" (hearts(east), 0, 13)',
  'generate 30000 action frequency "two" (hcp(north), 0, 20, hcp(south), 0, 20)',
  'generate 20000 action bktfreq "steps" (hcp(north) * 3, 0, 90, 10)',
  'predeal north SAKQ, H2 south DA action printoneline produce 6',
  'predeal spades(west) == 6 action printoneline produce 6',
  'produce 5 action printes("deal ", hcp(north), " and ", hcp(south), \\n)',
  'produce 4 condition shape{south, 5M4m(xx)} action printrpt(north, hcp(north), "x", deal)',
  'produce 4 action print(north, south)',
  'produce 9 condition controls(north) >= 8 && quality(north, spades) > 500 action printcompact(cccc(north))',
  'produce 6 pointcount 6 4 2 1 condition hcp(north) > 24 action printoneline(hcp(north))',
  'produce 5 condition rnd(10) == 3 action printoneline',
  'title "Tuesday" startboard 17 dealer west vulnerable EW produce 2 action printpbn',
  'produce 8 weak = hcp(west) < 5 strong = ltc(north) <= 400 condition weak and strong action printall, average ltc(north)',
];

test('deals byte for byte what dealer deals, for twenty scripts', async () => {
  const { page, wrong, close } = await openPage(browser, servers.browser.url);
  try {
    for (const [number, script] of SCRIPTS.entries()) {
      const seed = String(1000 + number);
      const printed = program(DEALER, ['-v', '-s', seed, '-'], script);
      await page.evaluate((it) => globalThis.croupier.set(it), { script, seed, produce: '' });
      await page.getByRole('button', { name: 'Deal', exact: true }).click();
      await page
        .getByTestId('status')
        .filter({ hasText: `Seed ${seed}.` })
        .waitFor();
      await page.getByRole('tab', { name: 'As text' }).click();
      const shown = await page.getByTestId('text').textContent();
      // The page does not know the date of the program, so the date of a PBN file is not compared.
      const undated = (text) => text.replace(/^\[Date ".*"\]$/gm, '[Date]');
      assert.equal(undated(shown), undated(printed), script);
    }
    assert.deepEqual(wrong, []);
  } finally {
    await close();
  }
});

test('the engine is under 1.5 MB compressed, and the page under 0.25 MB', () => {
  const folder = join(ROOT, 'web/static');
  const bytes = { engine: 0, page: 0 };
  for (const entry of readdirSync(folder, { recursive: true })) {
    const path = join(folder, entry);
    const part = entry.endsWith('.wasm') ? 'engine' : 'page';
    if (statSync(path).isFile()) bytes[part] += brotliCompressSync(readFileSync(path)).length;
  }
  console.log(`compressed: engine ${(bytes.engine / 1000).toFixed(0)} KB, page ${(bytes.page / 1000).toFixed(0)} KB`);
  assert.ok(bytes.engine > 0 && bytes.engine < 1.5e6, `${bytes.engine} bytes`);
  assert.ok(bytes.page > 0 && bytes.page < 0.25e6, `${bytes.page} bytes`);
});

test('a fresh page tells how long its first deal took', async () => {
  const { page, close } = await openPage(browser, servers.browser.url);
  try {
    const first = await page.evaluate(async () => {
      globalThis.croupier.set({ script: 'produce 1', seed: '1', produce: '' });
      const button = () => [...document.querySelectorAll('button')].find((it) => it.textContent.trim() === 'Deal');
      while (!button()) await new Promise((resolve) => requestAnimationFrame(resolve));
      button().click();
      while (!document.querySelector('[data-testid=boards] li'))
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now();
    });
    // Only printed, because the machine may be busy.
    console.log(`first deal ${first.toFixed(0)} ms after the navigation began`);
    assert.ok(first > 0);
  } finally {
    await close();
  }
});
