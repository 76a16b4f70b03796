// Comparisons, imports, plans, suits, downloads and charts, over both engines.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CROUPIER, deal, ENGINES, openBrowser, openPage, openServers, program, writeScript } from './harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'croupier-views-'));
const fileOf = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

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

/** Returns the file of a download that a click begins. */
async function fileFrom(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

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

    onPage('shows how to play a suit as croupier suit does', '#/suit', async (page) => {
      const goals = page.getByTestId('suit-goals');
      await goals.getByText('4 tricks').waitFor();
      const printed = program(CROUPIER, ['suit', 'AQT98', '5432']);
      const [, chance] = printed.match(/4 tricks\D+(\d+\.\d+) ?%/);
      assert.match(await goals.textContent(), new RegExp(`4 tricks${chance}`.replace('.', '\\.')));
      await page.getByRole('textbox', { name: 'North' }).fill('AQX');
      await page.getByRole('textbox', { name: 'South' }).fill('A2');
      await page.getByRole('alert').waitFor();
    });

    onPage('a suit is clicked, weighed by vacant places, and taken from a board', '#/suit', async (page) => {
      const best = page.getByTestId('suit-goals').locator('tbody tr').first();
      await best.filter({ hasText: '26.57 %' }).waitFor();
      const south = page.getByRole('group', { name: 'Cards of South' });
      const north = page.getByRole('group', { name: 'Cards of North' });
      await north.getByRole('button', { name: '8 to North' }).click();
      await south.getByRole('button', { name: 'J to South' }).click();
      await page.getByText('AQT9 opposite J5432, missing K876').waitFor();
      // A card that the other hand has changes hands.
      await north.getByRole('button', { name: 'J to North' }).click();
      await page.getByText('AQJT9 opposite 5432, missing K876').waitFor();
      const chance = async () => parseFloat((await best.locator('td').nth(1).textContent()).replace(',', ''));
      const even = await chance();
      await page.getByLabel('East’s vacant places').fill('5');
      await page.waitForFunction(
        (before) =>
          parseFloat(document.querySelector('[data-testid=suit-goals] td:nth-child(2)').textContent) !== before,
        even,
      );
      await page.evaluate(() => (location.hash = '#/deals'));
      await page.getByTestId('boards').getByRole('listitem').first().waitFor();
      await page.getByRole('button', { name: 'Open board 1', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const hand = async (seat) =>
        (await dialog.getByRole('group', { name: new RegExp(`^${seat}: spades`) }).getAttribute('aria-label'))
          .match(/spades ([^,]*)/)[1]
          .split(' ')
          .map((it) => ({ ace: 'A', king: 'K', queen: 'Q', jack: 'J', ten: 'T', none: '' })[it] ?? it)
          .join('');
      const [first, second] = [await hand('North'), await hand('South')];
      await dialog.getByRole('button', { name: 'spades of N-S' }).click();
      await page.getByRole('heading', { name: 'How to play a suit: spades of N-S, board 1' }).waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'North' }).inputValue(), first);
      assert.equal(await page.getByRole('textbox', { name: 'South' }).inputValue(), second);
    });

    onPage('ranks the plays of declarer, also from a board', '#/studies', async (page) => {
      await page.getByRole('button', { name: 'Declarer’s plan' }).click();
      await page.getByRole('spinbutton', { name: 'Layouts' }).fill('20');
      await page.getByLabel('Cards of declarer to look ahead').selectOption('1');
      await page.getByRole('button', { name: 'Rank the plays' }).click();
      const plays = page.getByTestId('plays').locator('tbody tr');
      await plays.first().waitFor({ timeout: 90_000 });
      // The worst play gives the ace at once.
      assert.match(await plays.last().textContent(), /♠A/);
      await page.getByLabel('Cards played so far').fill('SK SK');
      await page.getByRole('button', { name: 'Rank the plays' }).click();
      await page.getByRole('alert').waitFor();
      await page.evaluate(() => (location.hash = '#/deals'));
      await page.getByRole('button', { name: 'Open board 1', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Play', exact: true }).click();
      await dialog.getByTestId('expected').waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Plan as declarer' }).isDisabled());
      await dialog.getByRole('button', { name: 'Best card' }).click();
      await dialog.getByRole('button', { name: 'Plan as declarer' }).click();
      await page.getByRole('heading', { name: 'South plays (board 1)' }).waitFor();
      assert.match(await page.getByLabel('Cards played so far').inputValue(), /^[SHDC][AKQJT2-9]$/);
    });

    onPage(
      'an auction gives a study its contract and its deals, and two hands are played',
      '#/studies',
      async (page) => {
        const auction = page.getByRole('textbox', { name: 'Auction', exact: true });
        await page.getByRole('textbox', { name: "West's hand" }).fill('KQJ4.T9.A2.87632');
        await auction.fill('2C-2C');
        await page.getByRole('button', { name: 'Use the auction' }).click();
        await page.getByRole('alert').filter({ hasText: 'must be higher' }).waitFor();
        await auction.fill('1S-P-2S-P-4S-P-P-P');
        await page.getByLabel('Dealer').selectOption('South');
        await page.getByRole('button', { name: 'Use the auction' }).click();
        await page.getByTestId('shown-calls').waitFor();
        assert.equal(await page.getByLabel('Level').inputValue(), '4');
        assert.equal(await page.getByLabel('Strain').inputValue(), 'S');
        const script = page.getByRole('textbox', { name: 'What the auction says, as a script' });
        assert.match(await script.textContent(), /spades\(south\) >= 5/);
        assert.doesNotMatch(await script.textContent(), /west/);
        await page.getByRole('button', { name: 'Contracts', exact: true }).click();
        await page.getByRole('textbox', { name: 'Contracts' }).fill('3S-S, 4S-S');
        await page.getByRole('button', { name: 'Use the auction' }).click();
        await page.getByTestId('shown-calls').waitFor();
        await page.getByLabel('Layouts').fill('4');
        await page.getByLabel('Single dummy, deals').fill('2');
        await page.getByText('about 1 second of processor time').waitFor();
        await page.getByRole('button', { name: 'Study', exact: true }).click();
        await page.getByTestId('single-dummy').nth(1).waitFor({ timeout: 90_000 });
        assert.match(await page.getByTestId('single-dummy').first().textContent(), /\d+ %/);
      },
    );

    onPage('compares two scripts with the difference and its interval', '', async (page) => {
      await writeScript(
        page,
        'condition hcp(north) >= 15 action average "points" hcp(north), frequency "spades" (spades(south), 0, 13)',
      );
      await page.getByRole('tab', { name: 'Compare' }).click();
      const other = page.getByRole('textbox', { name: 'The other script' });
      await other.click();
      await page.keyboard.insertText(
        'condition hcp(north) >= 18 action average "points" hcp(north), frequency "spades" (spades(south), 0, 13)',
      );
      await page.getByLabel('Deals of each').fill('2000');
      await page.getByRole('button', { name: 'Run both' }).click();
      const table = page.getByTestId('comparison');
      await table.waitFor();
      const cells = (row) => table.getByRole('row', { name: row }).first().locator('td').allTextContents();
      const [first, second, difference, interval] = await cells(/^points/);
      const number = (text) => Number(text.match(/-?\d+\.\d+/)[0]);
      assert.ok(Math.abs(number(first) - number(second) - number(difference)) < 0.06, difference);
      const [low, high] = interval.split(' to ').map(Number);
      assert.ok(low < number(difference) && number(difference) < high && high < 0, interval);
      // Both conditions are counted exactly, and so is their difference.
      assert.match((await cells(/^The condition holds/))[0], /exact/);
      await table.getByRole('row', { name: /^spades: 4/ }).waitFor();
      await page.getByLabel('Deals of each').fill('0');
      await page.getByRole('button', { name: 'Run both' }).click();
      await page.getByRole('alert').filter({ hasText: 'whole number' }).waitFor();
    });

    onPage('imports own files, keeps the whole recipe and clears it', '', async (page) => {
      await writeScript(page, 'import "points.dl"\ncondition strong\nproduce 3');
      await page.getByTestId('messages').filter({ hasText: 'points.dl' }).waitFor();
      await page.getByLabel('Add a file to import').setInputFiles(fileOf('points.dl', 'strong = hcp(north) >= 20'));
      await page.getByText('import "points.dl"').last().waitFor();
      await deal(page, { seed: 5 });
      const points = await page
        .getByTestId('boards')
        .getByRole('listitem')
        .evaluateAll((all) => all.map((it) => Number(it.textContent.match(/North (\d+)/)[1])));
      assert.ok(points.length === 3 && points.every((it) => it >= 20), String(points));
      await page.getByLabel('Name', { exact: true }).fill('Strong');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      assert.equal(await page.getByLabel('Seed', { exact: true }).inputValue(), '');
      assert.equal(await page.getByRole('button', { name: 'Remove points.dl' }).count(), 0);
      await page.getByRole('button', { name: 'Bring them back' }).click();
      await page.getByRole('button', { name: 'Remove points.dl' }).waitFor();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await page.getByLabel('Own scripts').selectOption('Strong');
      await page.getByRole('button', { name: 'Remove points.dl' }).waitFor();
      assert.equal(await page.getByLabel('Seed', { exact: true }).inputValue(), '5');
    });

    onPage('writes files for dealing machines, as convert does', '', async (page) => {
      await writeScript(page, 'action printall');
      await deal(page, { seed: 1, produce: 36 });
      const download = async (item) => {
        await page.getByRole('button', { name: 'Download' }).click();
        return fileFrom(page, () => page.getByRole('menuitem', { name: item }).first().click());
      };
      const pbn = fileOf('machine.pbn', (await download(/^PBN/)).bytes);
      for (const [item, format] of [
        [/^DLM/, 'dlm'],
        [/^BRI/, 'bri'],
        [/^DGE/, 'dge'],
        [/^DUP/, 'dup'],
        [/^LIN/, 'lin'],
      ]) {
        const written = fileOf(`machine.${format}`, (await download(item)).bytes);
        const lines = (path) => program(CROUPIER, ['convert', '--to', 'oneline', path]);
        assert.equal(lines(written), lines(pbn), format);
      }
    });

    onPage('tables and charts are saved as CSV, SVG and PNG with round ticks', '', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await writeScript(page, 'action frequency "points" (hcp(north), 0, 37)');
      await deal(page, { seed: 1, produce: 5000 });
      await page.getByRole('tab', { name: 'Statistics' }).click();
      const csv = await fileFrom(page, () => page.getByRole('button', { name: /^CSV/ }).click());
      assert.match(String(csv.bytes), /^hcp\(north\),deals,share,low,high\n(below.*\n)?0,\d+,/);
      await page.getByRole('button', { name: /^Copy/ }).click();
      await page.getByRole('button', { name: /^Copied/ }).waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\t/);
      const svg = await fileFrom(page, () => page.getByRole('button', { name: /^SVG/ }).click());
      assert.match(String(svg.bytes), /^<svg[^>]*xmlns=/);
      const ticks = [...String(svg.bytes).matchAll(/>(\d+(?:\.\d+)?) %</g)].map((it) => Number(it[1]));
      const step = ticks[1] - ticks[0];
      assert.ok(
        [1, 2, 2.5, 5].some((it) => Math.abs(Math.log10(Math.abs(step) / it) % 1) < 1e-9),
        String(ticks),
      );
      const png = await fileFrom(page, () => page.getByRole('button', { name: /^PNG/ }).click());
      assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    });

    onPage(
      'completions lie above the deals, and the find panel can be read in the dark',
      '',
      async (page) => {
        await page.getByTestId('boards').getByRole('listitem').first().waitFor();
        await writeScript(page, 'condition hc');
        await page.keyboard.press('Control+Space');
        const info = page.locator('.cm-completionInfo').first();
        await info.waitFor();
        const { x, y, width, height } = await info.boundingBox();
        const isOnTop = await page.evaluate(
          ([x, y]) => {
            const host = document.elementFromPoint(x, y);
            return !!host?.shadowRoot?.elementFromPoint(x, y)?.closest('.cm-completionInfo');
          },
          [x + width / 2, y + height / 2],
        );
        assert.ok(isOnTop);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+f');
        const field = page.locator('.cm-search input').first();
        await field.waitFor();
        const contrast = await field.evaluate((it) => {
          const light = (text) => {
            const rgb = text
              .match(/[\d.]+/g)
              .slice(0, 3)
              .map((n) => {
                const c = Number(n) / 255;
                return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
              });
            return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
          };
          const style = getComputedStyle(it);
          const [a, b] = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
          return (a + 0.05) / (b + 0.05);
        });
        assert.ok(contrast >= 4.5, `contrast ${contrast}`);
      },
      { colorScheme: 'dark' },
    );

    onPage('a run that solves every deal shows its progress', '', async (page) => {
      await writeScript(page, 'condition tricks(north, notrumps) >= 9 produce 100 action average hcp(north)');
      await page.getByRole('button', { name: 'Deal', exact: true }).click();
      await page
        .getByTestId('status')
        .filter({ hasText: /[1-9]\d* found in [1-9]/ })
        .waitFor({ timeout: 30_000 });
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByTestId('status').filter({ hasText: 'partial' }).waitFor();
    });

    onPage('boards of a levelled script say their class', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Level', exact: true }).click();
      await page.getByRole('button', { name: 'Take an example' }).click();
      await page.getByRole('button', { name: 'Deal in these shares' }).click();
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      const names = await page.getByTestId('boards').locator('.tag').allTextContents();
      assert.deepEqual([...new Set(names)].toSorted(), ['Game', 'Invitation', 'Slam', 'Weak']);
    });

    onPage('scenarios know their dealer', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Deal Stayman', exact: true }).click();
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      for (const text of await page.getByTestId('boards').getByRole('listitem').allTextContents())
        assert.match(text, /Dealer N/);
    });
  });
}
