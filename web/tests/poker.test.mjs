// Push or fold and the solver of poker, over both engines.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { CROUPIER, ENGINES, openBrowser, openPage, openServers, program } from './harness.mjs';

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

for (const engine of ENGINES) {
  describe(`with the engine ${engine === 'server' ? 'of croupier serve' : 'in the page'}`, () => {
    const onPage = (name, path, body, options) =>
      test(name, async () => {
        const opened = await openPage(browser, servers[engine].url + path, options);
        try {
          await body(opened.page);
          assert.deepEqual(opened.wrong, []);
        } finally {
          await opened.close();
        }
      });

    onPage(
      'push or fold has the numbers of the program, and gives its range to the equity',
      '#/poker',
      async (page) => {
        await page.getByRole('button', { name: 'Push or fold' }).click();
        await page.getByLabel('Stacks').fill('10 10');
        await page.getByRole('button', { name: 'Find the ranges' }).click();
        await page.getByTestId('push-share').waitFor();
        const solved = JSON.parse(program(CROUPIER, ['poker', 'push', '--stacks', '10,10', '--format', 'json']));
        const shares = Object.values(solved.strategies ?? solved.decisions).map((it) => it.share);
        assert.equal(await page.getByTestId('push-share').textContent(), `${(100 * shares[0]).toFixed(1)} %`);
        assert.match(await page.locator('[data-class=AA]').last().getAttribute('title'), /push 100 %/);
        await page.getByLabel('Decision', { exact: true }).selectOption({ label: 'BB calls the push of SB' });
        assert.equal(await page.getByTestId('push-share').textContent(), `${(100 * shares[1]).toFixed(1)} %`);
        await page.getByRole('button', { name: 'Use it as a range' }).click();
        const range = page.getByLabel('Range of player 1', { exact: true }).first();
        assert.match(await range.inputValue(), /22\+/);
        await page.getByRole('button', { name: 'Push or fold' }).click();
        await page.getByLabel('Stacks').fill('10');
        await page.getByRole('button', { name: 'Find the ranges' }).click();
        await page.getByRole('alert').filter({ hasText: 'two to 9' }).waitFor();
      },
    );

    onPage('a river is solved as the program solves it, hand by hand', '#/poker', async (page) => {
      await page.getByRole('button', { name: 'Solver', exact: true }).click();
      const fields = { Pot: '100', 'Stack behind': '100', Bets: 'a', Raises: 'none' };
      await page.getByLabel('Board: three, four or five cards').fill('2c 2d 2h 2s 3c');
      await page.getByLabel('Range out of position').fill('AsAh,QsQh');
      await page.getByLabel('Range in position').fill('KsKh');
      for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value);
      await page.getByRole('button', { name: 'Solve', exact: true }).click();
      await page.getByRole('heading', { name: 'Out of position decides' }).waitFor();
      const spot = ['--board', '2c2d2h2s3c', '--oop', 'AsAh,QsQh', '--ip', 'KsKh', '--pot', '100', '--stack', '100'];
      const options = ['--bets', 'a', '--raises', 'none', '--exploitability', '0.3', '--iterations', '2000'];
      const solved = JSON.parse(program(CROUPIER, ['poker', 'solve', ...spot, ...options, '--format', 'json']));
      const shown = await page.getByTestId('spot-actions').locator('tbody td:nth-child(2)').allTextContents();
      assert.deepEqual(
        shown,
        solved.tree.actions.map((it) => `${(100 * it.frequency).toFixed(1)} %`),
      );
      await page.getByRole('gridcell', { name: /^QQ:/ }).last().click();
      assert.match(await page.getByTestId('spot-hands').locator('tbody').textContent(), /Q.Q./);
      await page.getByRole('button', { name: 'Next decision after all-in' }).click();
      await page.getByRole('heading', { name: 'In position decides' }).waitFor();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('heading', { name: 'Out of position decides' }).waitFor();
      await page.getByLabel('Bets', { exact: true }).fill('2x');
      await page.getByRole('button', { name: 'Solve', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'a bet has no multiple' }).waitFor();
    });

    onPage('a turn goes on to the river with a card', '#/poker', async (page) => {
      await page.getByRole('button', { name: 'Solver', exact: true }).click();
      await page.getByLabel('Board: three, four or five cards').fill('2c 2d 2h 3c');
      await page.getByLabel('Range out of position').fill('AsAh,QsQh');
      await page.getByLabel('Range in position').fill('KsKh,JsJh');
      await page.getByLabel('Bets', { exact: true }).fill('100%');
      await page.getByLabel('Raises', { exact: true }).fill('none');
      await page.getByRole('button', { name: 'Solve', exact: true }).click();
      await page.getByRole('button', { name: 'Next decision after check' }).click();
      await page.getByRole('button', { name: 'Next card after check' }).click();
      await page.getByLabel('Next card after check').fill('9d');
      await page.getByRole('button', { name: 'Show this street' }).click();
      await page
        .getByText(/Board.*9d/)
        .first()
        .waitFor();
    });

    onPage('every game has an equity', '#/poker', async (page) => {
      const games = await page.getByLabel('Game', { exact: true }).locator('option').allTextContents();
      assert.equal(games.length, 13);
      for (const game of games) {
        await page.getByLabel('Game', { exact: true }).selectOption({ label: game });
        await page.getByRole('button', { name: 'Compute' }).click();
        await page.getByTestId('equity').waitFor({ timeout: 60_000 });
      }
    });
  });
}
