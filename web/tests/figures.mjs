// Figures of the static page, as Lighthouse measures them: load, first deal, longest frame gap and heap.
//
//   node web/tests/figures.mjs [ROUNDS]

import { ENGINES, openBrowser, openServers, writeScript } from './harness.mjs';

const rounds = Number(process.argv[2] ?? 5);
ENGINES.splice(0, ENGINES.length, 'browser');
const [browser, servers] = await Promise.all([openBrowser(), openServers()]);
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

const loads = [];
for (let round = 0; round < rounds; round++) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const marks = (globalThis.marks = {});
    const look = () => {
      const text = (id) => document.querySelector(`[data-testid=${id}]`)?.textContent ?? '';
      if (!marks.usable && document.querySelector('nav') && !/starting/.test(text('engine') || 'starting'))
        marks.usable = performance.now();
      if (!marks.firstDeal && document.querySelector('[data-testid=boards] li')) marks.firstDeal = performance.now();
      if (!marks.firstDeal) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(servers.browser.url);
  await page.waitForFunction(() => globalThis.marks.firstDeal);
  loads.push(
    await page.evaluate(() => ({
      ...globalThis.marks,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      load: performance.getEntriesByType('navigation')[0].loadEventEnd,
    })),
  );
  await context.close();
}
for (const key of ['paint', 'load', 'usable', 'firstDeal'])
  console.log(`${key}: median ${median(loads.map((it) => it[key])).toFixed(0)} ms of ${rounds} loads`);

const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
await page.goto(servers.browser.url);
await page.getByTestId('boards').getByRole('listitem').first().waitFor();
await writeScript(page, 'action printall');
await page.getByRole('textbox', { name: 'Deals', exact: true }).fill('10000');
await page.waitForTimeout(1000);
await page.evaluate(() => {
  const gaps = (globalThis.gaps = []);
  let last = performance.now();
  const look = (now) => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
const since = performance.now();
await page.getByRole('button', { name: 'Deal', exact: true }).click();
await page.getByTestId('status').filter({ hasText: '10,000 deals found' }).waitFor();
const took = performance.now() - since;
await page.waitForTimeout(300);
const { gap, heap } = await page.evaluate(() => ({
  gap: Math.max(...globalThis.gaps),
  heap: performance.memory?.usedJSHeapSize ?? NaN,
}));
console.log(
  `10,000 boards: ${took.toFixed(0)} ms, longest frame gap ${gap.toFixed(0)} ms, heap ${(heap / 1e6).toFixed(0)} MB`,
);
await browser.close();
servers.server.close();
servers.browser.close();
