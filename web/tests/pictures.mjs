// Takes pictures of every view for docs/web.md and for the eye: node web/tests/pictures.mjs FOLDER [WIDTHS] [THEMES] [VIEWS]

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { openBrowser, openPage, openServers } from './harness.mjs';

const [folder = 'pictures', widths = '390,768,1280,1920', themes = 'light,dark', views = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const wanted = views
  ? views.split(',')
  : [
      ...['deals', 'script', 'compare', 'board', 'scenarios', 'mix', 'studies', 'plan'],
      ...['files', 'hand', 'suit', 'shapes', 'poker'],
    ];

process.env.ENGINES = 'browser';
const [browser, servers] = await Promise.all([openBrowser(), openServers()]);

/** Brings the page to a view. */
async function show(page, view) {
  const hash = { script: 'deals', compare: 'deals', board: 'deals', mix: 'scenarios', plan: 'studies' }[view] ?? view;
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
  if (view === 'files') await page.getByRole('button', { name: 'Solve all boards' }).waitFor();
  await page.waitForTimeout(300);
}

for (const theme of themes.split(',')) {
  for (const width of widths.split(',').map(Number)) {
    for (const view of wanted) {
      const { page, wrong, close } = await openPage(browser, servers.browser.url, {
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
