// Takes pictures of every view for docs/web.md and for the eye: node web/tests/pictures.mjs FOLDER [WIDTHS] [THEMES] [VIEWS]

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { ENGINES, openBrowser, openPage, openServers } from './harness.mjs';

const [folder = 'pictures', widths = '390,768,1280,1920', themes = 'light,dark', views = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const wanted = views
  ? views.split(',')
  : [
      ...['deals', 'script', 'compare', 'board', 'scenarios', 'mix', 'studies', 'plan'],
      ...['files', 'hand', 'suit', 'shapes', 'poker', 'push', 'solver', 'bid', 'auction', 'bidden'],
    ];

// The static page, unless ENGINES says otherwise.
const engine = process.env.ENGINES ? ENGINES[0] : 'browser';
ENGINES.splice(0, ENGINES.length, engine);
const [browser, servers] = await Promise.all([openBrowser(), openServers()]);

/** Brings the page to a view. */
async function show(page, view) {
  const hash =
    {
      ...{ script: 'deals', compare: 'deals', board: 'deals', mix: 'scenarios', plan: 'studies' },
      ...{ push: 'poker', solver: 'poker', auction: 'bid', bidden: 'bid' },
    }[view] ?? view;
  await page.evaluate((it) => (location.hash = `#/${it}`), hash);
  await page.waitForTimeout(500);
  if (view === 'script') await page.getByRole('button', { name: 'Edit the script' }).click();
  if (view === 'compare') {
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByLabel('The other script').first().selectOption('this:');
  }
  if (view === 'plan') {
    await page.getByRole('button', { name: 'Declarer’s plan' }).click();
    await page.getByRole('button', { name: 'Rank the plays' }).click();
    await page.getByTestId('plays').waitFor();
  }
  if (view === 'suit') await page.getByTestId('suit-goals').waitFor();
  if (view === 'board') {
    await page.getByRole('button', { name: 'Open board 1', exact: true }).first().click();
    await page.getByRole('button', { name: 'Solve double dummy' }).click();
    await page.getByRole('dialog').getByRole('table').waitFor();
  }
  if (view === 'mix') {
    await page.getByRole('button', { name: 'Mix', exact: true }).click();
    await page.getByRole('button', { name: 'Add Stayman', exact: true }).click();
    await page.getByRole('button', { name: 'Add Smolen', exact: true }).click();
  }
  if (view === 'push') {
    await page.getByRole('button', { name: 'Push or fold' }).click();
    await page.getByRole('button', { name: 'Find the ranges' }).click();
    await page.getByTestId('push-share').waitFor();
  }
  if (view === 'solver') {
    await page.getByRole('button', { name: 'Solver', exact: true }).click();
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByTestId('spot-actions').waitFor();
    await page.getByRole('gridcell', { name: /^KQs:/ }).last().click();
  }
  if (view === 'auction' || view === 'bidden') {
    await page.getByRole('form').getByLabel('Deals').selectOption({ label: 'Stayman' });
    await page.getByRole('form').getByLabel('Seed').fill('3');
    await page.getByRole('button', { name: 'Start the session' }).click();
    await page.getByTestId('bid-status').filter({ hasText: 'to call' }).waitFor();
    await page.getByRole('region', { name: 'Auction', exact: true }).locator('tbody button').first().click();
  }
  if (view === 'bidden') {
    while (!(await page.getByTestId('robots-auction').isVisible())) {
      const pass = page.getByRole('group', { name: 'Bidding box' }).getByRole('button', { name: 'Pass' });
      if (await pass.isEnabled().catch(() => false)) await pass.click();
      await page.waitForTimeout(100);
    }
  }
  if (view === 'files') await page.getByRole('button', { name: 'Solve all boards' }).waitFor();
  await page.waitForTimeout(300);
}

for (const theme of themes.split(',')) {
  for (const width of widths.split(',').map(Number)) {
    for (const view of wanted) {
      const { page, wrong, close } = await openPage(browser, servers[engine].url, {
        viewport: { width, height: width < 700 ? 844 : 900 },
        colorScheme: theme,
        reducedMotion: 'reduce',
      });
      await page.getByTestId('boards').getByRole('listitem').first().waitFor();
      await show(page, view);
      await page.screenshot({ path: join(folder, `${view}-${width}-${theme}.png`) });
      if (wrong.length) console.log(view, width, wrong);
      await close();
    }
  }
}
await browser.close();
servers.server.close();
servers.browser.close();
