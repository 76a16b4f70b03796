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

test('page and first engine are under 1.5 MB compressed, the page under 0.25 MB', () => {
  const folder = join(ROOT, 'web/static');
  const engines = {};
  let page = 0;
  for (const entry of readdirSync(folder, { recursive: true })) {
    const path = join(folder, entry);
    if (!statSync(path).isFile()) continue;
    const bytes = brotliCompressSync(readFileSync(path)).length;
    if (entry.endsWith('.wasm')) engines[entry] = bytes;
    else page += bytes;
  }
  const list = Object.entries({ page, ...engines }).map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(0)} KB`);
  console.log(`compressed: ${list.join(', ')}`);
  assert.ok(page > 0 && page < 0.25e6, `${page} bytes`);
  for (const name of ['croupier', ...['bidding', 'card-play', 'poker', 'poker-solver'].map((it) => `croupier-${it}`)])
    for (const kind of ['', '-basic']) assert.ok(engines[`${name}${kind}.wasm`] > 0, name + kind);
  assert.ok(page + engines['croupier.wasm'] < 1.5e6, list.join(', '));
});

test('parts of the engine are loaded at their first use', async () => {
  const { page, wrong, close } = await openPage(browser, servers.browser.url);
  try {
    await page.getByTestId('boards').getByRole('listitem').first().waitFor();
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map((it) => it.name.split('/').at(-1))
          .filter((it) => it.endsWith('.wasm')),
      );
    assert.deepEqual(await loaded(), ['croupier.wasm']);
    await page.getByRole('link', { name: 'Suit' }).click();
    await page.getByTestId('suit-goals').waitFor();
    assert.deepEqual(await loaded(), ['croupier.wasm', 'croupier-card-play.wasm']);
    assert.deepEqual(wrong, []);
  } finally {
    await close();
  }
});

test('without SIMD instructions the basic engine deals the same', async () => {
  const context = await browser.newContext();
  // A browser without SIMD rejects the module that the page tries.
  await context.addInitScript(() => (WebAssembly.validate = () => false));
  const page = await context.newPage();
  try {
    await page.goto(servers.browser.url);
    const script = `condition ${NOTRUMP} produce 5 action printcompact`;
    await page.getByTestId('boards').getByRole('listitem').first().waitFor();
    await page.evaluate((it) => globalThis.croupier.set(it), { script, seed: '9', produce: '' });
    await page.getByRole('button', { name: 'Deal', exact: true }).click();
    await page.getByTestId('status').filter({ hasText: 'Seed 9.' }).waitFor();
    await page.getByRole('tab', { name: 'As text' }).click();
    const printed = program(DEALER, ['-v', '-s', '9', '-'], script);
    assert.equal(await page.getByTestId('text').textContent(), printed);
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map((it) => it.name));
    assert.ok(names.some((it) => it.endsWith('croupier-basic.wasm')));
    assert.ok(!names.some((it) => it.endsWith('/croupier.wasm')));
  } finally {
    await context.close();
  }
});

test('opens, deals and plays a suit without a network once it was open', async () => {
  const { page, close } = await openPage(browser, servers.browser.url);
  try {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByTestId('boards').getByRole('listitem').first().waitFor();
    // The server ends, so that even requests around the service worker would fail.
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'Deal', exact: true }).click();
    await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
    await page.getByRole('link', { name: 'Suit' }).click();
    await page.getByTestId('suit-goals').waitFor();
  } finally {
    await close();
  }
});

test('can be installed: a manifest with icons in both sizes', async () => {
  const get = async (path) => fetch(new URL(path, servers.browser.url));
  const page = await (await get('')).text();
  const manifest = await (await get(page.match(/rel="manifest" href="([^"]+)"/)[1])).json();
  assert.equal(manifest.display, 'standalone');
  for (const size of ['192x192', '512x512']) {
    const icon = manifest.icons.find((it) => it.sizes === size);
    const bytes = new DataView(await (await get(icon.src)).arrayBuffer());
    assert.equal(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`, size);
  }
  assert.ok((await get(page.match(/rel="apple-touch-icon" href="([^"]+)"/)[1])).ok);
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
