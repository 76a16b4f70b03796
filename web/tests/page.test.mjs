// The page in a real browser, over both engines.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import {
  CROUPIER,
  deal,
  DEALER,
  ENGINES,
  openBrowser,
  openPage,
  openServers,
  program,
  ROOT,
  writeScript,
} from './harness.mjs';

const NOTRUMP = readFileSync(join(ROOT, 'examples/one-notrump.dl'), 'utf8');
const AXE = readFileSync(join(ROOT, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'croupier-page-'));
const fileOf = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const digits = (text) => Number(text.replace(/[^\d.-]/g, ''));

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
    /** Defines a test that opens a new page at a view. */
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

    onPage('deals what dealer deals', '', async (page) => {
      await writeScript(page, NOTRUMP);
      await deal(page, { seed: 7, produce: 5 });
      await page.getByRole('tab', { name: 'As text' }).click();
      const shown = await page.getByTestId('text').textContent();
      const printed = program(DEALER, ['-s', '7', '-p', '5', '-v', '-'], NOTRUMP);
      assert.equal(shown.split('\n').slice(0, 5).join('\n'), printed.split('\n').slice(0, 5).join('\n'));
    });

    onPage('shows deals as diagrams with points, dealer and vulnerability', '', async (page) => {
      await writeScript(page, 'condition hcp(north) == 20 action printall');
      await deal(page, { seed: 1, produce: 3 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      assert.equal(await boards.count(), 3);
      assert.match(await boards.nth(0).textContent(), /North 20/);
      assert.match(await boards.nth(1).textContent(), /Dealer E.*Vul N-S/s);
    });

    onPage('keeps long suits inside their boards', '', async (page) => {
      await writeScript(
        page,
        'condition spades(east) > 6 and hearts(north) > 6 and diamonds(west) > 5 action printall',
      );
      await deal(page, { seed: 1, produce: 4 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      assert.equal(await boards.count(), 4);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const beyond = await boards.evaluateAll((all) =>
          all.flatMap((board) => {
            const { left, right } = board.getBoundingClientRect();
            return [...board.querySelectorAll('.ranks, .wind')]
              .map((it) => it.getBoundingClientRect())
              .filter((it) => it.left < left || it.right > right);
          }),
        );
        assert.deepEqual(beyond, [], `${width} pixels`);
      }
    });

    onPage('underlines an error with its message and offers the fix', '', async (page) => {
      await writeScript(page, 'condition hcp(north) = 15');
      await page.locator('.cm-lintRange-error').first().waitFor();
      const messages = page.getByTestId('messages');
      await messages.filter({ hasText: 'to compare write' }).waitFor();
      assert.match(await messages.textContent(), /line 1:22.*E203/s);
      await page.locator('.cm-lintRange-error').first().hover();
      await page.locator('.cm-diagnosticAction').click();
      await messages.filter({ hasNotText: 'E203' }).waitFor({ state: 'attached' });
      assert.match(await page.locator('.cm-content').textContent(), /hcp\(north\) == 15/);
    });

    onPage('names the errors of a script that is dealt all the same', '', async (page) => {
      await writeScript(page, 'condition hcp(nrth) > 3');
      await page.getByRole('button', { name: 'Deal', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'The script has errors' }).waitFor();
      assert.match(await page.getByTestId('messages').textContent(), /nrth.*compass/s);
    });

    onPage('completes a word with its documentation', '', async (page) => {
      await writeScript(page, 'condition contro');
      await page.keyboard.press('Control+Space');
      const options = page.locator('.cm-tooltip-autocomplete');
      await options.filter({ hasText: 'controls' }).waitFor();
      const info = page.locator('.cm-completionInfo').filter({ hasText: 'Ace 2, king 1' });
      await info.waitFor();
      // The documentation is visible: no element covers it or cuts it off.
      const seen = await info.evaluate((it) => {
        const { left, right, top, bottom } = it.getBoundingClientRect();
        return it.contains(it.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2));
      });
      assert.ok(seen, 'the documentation can be seen');
      // The editor ignores keys in the first moments of a list, because they might be meant for the text.
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
      await page
        .locator('.cm-content')
        .filter({ hasText: /condition controls?\(north\)/ })
        .waitFor();
    });

    onPage('stops a run and keeps what was counted', '', async (page) => {
      await writeScript(page, 'generate 2000000000 action average "random" hcp(north) + rnd(100)');
      await page.getByRole('textbox', { name: 'Deals', exact: true }).fill('');
      await page.getByRole('button', { name: 'Deal', exact: true }).click();
      await page
        .getByTestId('status')
        .filter({ hasText: /[1-9][\d,]* found in/ })
        .waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByTestId('status').filter({ hasText: 'Stopped' }).waitFor();
      await page.getByRole('button', { name: 'Deal', exact: true }).waitFor();
    });

    onPage('charts have the numbers of the program', '', async (page) => {
      const script =
        'produce 2000 condition hcp(north) > 12 action average "points" hcp(south), frequency "hearts" (hearts(south), 0, 8)';
      await writeScript(page, script);
      await deal(page, { seed: 3, produce: '' });
      await page.getByRole('tab', { name: 'Statistics' }).click();
      await page.getByText('Numbers').click();
      const shown = await page
        .getByTestId('frequency')
        .locator('[data-count]')
        .evaluateAll((cells) => cells.map((it) => Number(it.dataset.count)));
      const lines = program(DEALER, ['-s', '3', '--format', 'json', '-'], script).trim().split('\n');
      const [average, frequency] = JSON.parse(lines[lines.length - 1]).tables;
      const { counts, above } = frequency;
      // Values above the last class have a separate row.
      assert.deepEqual(shown, above ? [...counts, above] : counts);
      assert.equal(
        shown.reduce((a, b) => a + b, 0),
        2000,
      );
      // The bars are drawn from the same numbers.
      const bars = await page.locator('svg rect.bar title').allTextContents();
      assert.deepEqual(
        bars.map((it) => Number(it.match(/: (\d+) /)[1])),
        shown,
      );
      const [low, high] = average.interval;
      const digits = Math.max(0, 1 - Math.floor(Math.log10(high - low)));
      assert.equal(await page.getByTestId('mean').textContent(), average.mean.toFixed(digits));
    });

    onPage('counts the condition as croupier probability does', '', async (page) => {
      await writeScript(page, NOTRUMP);
      await deal(page, { seed: 1, produce: 3 });
      await page.getByRole('tab', { name: 'Probability' }).click();
      const exact = JSON.parse(program(CROUPIER, ['probability', '--format', 'json', '-'], NOTRUMP));
      const fraction = (await page.getByTestId('fraction').textContent()).replaceAll(',', '');
      assert.equal(fraction, `${exact.fraction[0]} / ${exact.fraction[1]}`);
      assert.match(await page.getByTestId('probability').textContent(), /4\.8656 %/);
    });

    onPage('shows why so few as a funnel', '', async (page) => {
      await writeScript(page, 'condition hcp(north) >= 20 && hearts(north) >= 6 && hcp(south) < 3');
      await deal(page, { seed: 1, produce: 1 });
      await page.getByRole('tab', { name: 'Probability' }).click();
      const parts = page.locator('.funnel li');
      await parts.nth(3).waitFor();
      assert.match(await parts.nth(0).textContent(), /100,000/);
      assert.equal(await parts.count(), 4);
    });

    onPage('solves a board as croupier solve does', '', async (page) => {
      await writeScript(page, 'condition hcp(north) + hcp(south) == 24 action printall');
      await deal(page, { seed: 5, produce: 1 });
      await page.getByRole('button', { name: 'Open board 1' }).click();
      await page.getByRole('button', { name: 'Solve double dummy' }).click();
      const table = page.getByRole('dialog').getByRole('table');
      await table.waitFor();
      const cells = (await table.locator('td').allTextContents()).map(Number);
      const line = program(
        DEALER,
        ['-s', '5', '-p', '1', '--format', 'pbn', '-'],
        'condition hcp(north) + hcp(south) == 24',
      );
      const solved = JSON.parse(
        program(CROUPIER, ['solve', '--format', 'json', fileOf('one.pbn', line)])
          .trim()
          .split('\n')[0],
      );
      const digits = JSON.stringify(solved).match(/"([0-9a-d]{20})"/)?.[1];
      const expected = digits
        ? [...digits].map((it) => parseInt(it, 16))
        : Object.values(solved.tricks).flatMap((row) => Object.values(row));
      // The program's rows are N E S W by clubs to notrump, the page's N S E W by notrump to clubs.
      const rows = [0, 2, 1, 3].map((seat) => expected.slice(5 * seat, 5 * seat + 5).reverse());
      assert.deepEqual(cells, rows.flat());
    });

    onPage('plays a board card by card with the cost of each', '', async (page) => {
      await writeScript(page, 'predeal north SAKQ,HAKQ,DAKQ,CAKQJ action printall');
      await deal(page, { seed: 2, produce: 1 });
      await page.getByRole('button', { name: 'Open board 1' }).click();
      await page.getByLabel('Declarer').selectOption('N');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByTestId('expected').waitFor();
      assert.equal(await page.getByTestId('expected').textContent(), '13');
      await page
        .getByRole('button', { name: /costs nothing/ })
        .first()
        .click();
      await page.getByText('South to play').waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByText('East to play').waitFor();
    });

    onPage('tells what a card costs, and it does', '#/files', async (page) => {
      // The defence has five hearts, if East leads them; otherwise declarer has twelve tricks before they get in.
      const deal = 'N:AKQ.432.AKQ.AKQ2 432.AKQJT.432.43 JT98.98.JT98.JT9 765.765.765.8765';
      await page.getByLabel('Choose a file').setInputFiles(fileOf('cost.pbn', `[Deal "${deal}"]\n`));
      await page.getByRole('button', { name: 'Open board 1' }).click();
      await page.getByLabel('Declarer').selectOption('N');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByTestId('expected').filter({ hasText: /^8$/ }).waitFor();
      assert.equal(await page.getByRole('button', { name: / of hearts, costs nothing/ }).count(), 5);
      await page.getByRole('button', { name: '4 of spades, costs 4' }).click();
      await page.getByTestId('expected').filter({ hasText: /^12$/ }).waitFor();
      for (const seat of ['South', 'West', 'North']) {
        await page.getByText(`${seat} to play`).waitFor();
        await page.getByRole('button', { name: 'Best card' }).click();
      }
      await page.getByTestId('tricks-played').locator('tbody tr').waitFor();
      assert.match(await page.getByRole('dialog').textContent(), /Declarer 1, defence 0/);
    });

    onPage('lists scenarios with their frequency and deals one', '#/scenarios', async (page) => {
      await page.getByText(/4\d scenarios/).waitFor();
      await page.getByLabel('Search').fill('smolen');
      await page.getByRole('button', { name: 'Show Smolen' }).click();
      await page.getByText(/^Exactly/).waitFor();
      await page.getByRole('button', { name: 'Open in the editor' }).click();
      await deal(page, { seed: 1, produce: 4 });
      assert.equal(await page.getByTestId('boards').getByRole('listitem').count(), 4);
    });

    onPage('levels classes by sliders', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Level', exact: true }).click();
      await page.getByRole('button', { name: 'Take an example' }).click();
      await page.getByLabel('Share of Slam').fill('3');
      await page.getByRole('button', { name: 'Deal in these shares' }).click();
      await page.getByText('Levelled: Weak=1').waitFor();
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      await deal(page, { seed: 1, produce: 12 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      assert.equal(await boards.count(), 12);
      // Shares 1, 1, 1 and 3 of twelve boards.
      const points = await boards.evaluateAll((all) => all.map((it) => Number(it.textContent.match(/South (\d+)/)[1])));
      const kinds = [0, 0, 0, 0];
      for (const it of points) kinds[it < 8 ? 0 : it < 10 ? 1 : it < 16 ? 2 : 3] += 1;
      assert.deepEqual(kinds, [2, 2, 2, 6]);
    });

    onPage('mixes scenarios by sliders', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Mix', exact: true }).click();
      await page.getByRole('button', { name: 'Add Stayman', exact: true }).click();
      await page.getByRole('button', { name: 'Add Weak two in a major', exact: true }).click();
      await page.getByLabel('Share of Stayman').fill('2');
      await page.getByLabel('Share of Weak two in a major').fill('1');
      await page.getByRole('button', { name: 'Deal the mixture' }).click();
      await page.getByText('Mixed with 1 other script').waitFor();
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      await deal(page, { seed: 1, produce: 9 });
      assert.equal(await page.getByTestId('boards').getByRole('listitem').count(), 9);
      // A link contains the mixture, too.
      const first = await page.getByTestId('boards').textContent();
      await page.getByRole('button', { name: 'Share' }).click();
      const other = await openPage(browser, await page.getByTestId('link').inputValue());
      try {
        await other.page.getByText('Mixed with 1 other script').waitFor();
        await deal(other.page);
        assert.equal(await other.page.getByTestId('boards').textContent(), first);
      } finally {
        await other.close();
      }
    });

    onPage('makes a script of a filled-in form', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Seat profiles' }).click();
      await page.getByLabel('North: least points').fill('8');
      await page.getByRole('button', { name: 'Make a script of it' }).click();
      await page.locator('.cm-content').filter({ hasText: 'hcp(north) >= 8' }).waitFor();
      await deal(page, { seed: 1, produce: 2 });
      assert.equal(await page.getByTestId('boards').getByRole('listitem').count(), 2);
    });

    onPage(
      'a form has alternatives and suits drawn at random, and says what is wrong where it is',
      '#/scenarios',
      async (page) => {
        await page.getByRole('button', { name: 'Seat profiles' }).click();
        const north = page.getByRole('group', { name: 'North', exact: true });
        await north.getByLabel('North: least points').fill('11');
        await north.getByRole('alert').filter({ hasText: 'Points: 11 is more than 10' }).waitFor();
        assert.ok(await page.getByRole('button', { name: 'Make a script of it' }).isDisabled());
        await north.getByLabel('North: least points').fill('6');
        // Spades only, or a suit drawn at random of the red ones, three times as often.
        await north.getByLabel('North: share').waitFor({ state: 'detached' });
        await north.getByRole('button', { name: 'Or something else… for North' }).click();
        await north.getByLabel('North: share', { exact: true }).fill('25');
        await north.getByLabel('North, alternative 2: share').fill('75');
        await north.getByLabel('North, alternative 2: most points', { exact: true }).fill('10');
        await north.getByLabel('North, alternative 2: and a suit drawn at random').check();
        await north.getByRole('group', { name: 'North, alternative 2: drawn from' }).getByLabel('spades').uncheck();
        await page.getByRole('button', { name: 'Make a script of it' }).click();
        await page.locator('.cm-content').filter({ hasText: 'level' }).waitFor();
        await deal(page, { seed: 1, produce: 8 });
        const boards = await page
          .getByTestId('boards')
          .getByRole('listitem')
          .evaluateAll((all) =>
            all.map((it) => it.querySelector('[aria-label^="North: "]').getAttribute('aria-label')),
          );
        const lengths = boards.map((it) =>
          it
            .slice(7)
            .split(', ')
            .map((suit) => suit.split(' ').length - 1),
        );
        assert.equal(lengths.filter(([spades]) => spades === 6).length, 2);
        assert.equal(lengths.filter(([, hearts]) => hearts === 6).length, 3);
        assert.equal(lengths.filter(([, , diamonds]) => diamonds === 6).length, 3);
      },
    );

    onPage('says beside the field that a number of deals is none', '', async (page) => {
      await page.getByRole('textbox', { name: 'Deals', exact: true }).fill('some');
      await page.getByRole('alert').filter({ hasText: 'Deals is a number' }).waitFor();
      await page.getByRole('textbox', { name: 'Deals', exact: true }).fill('2');
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    onPage('keeps what was done in a view', '', async (page) => {
      await writeScript(page, 'condition hcp(north) > 18');
      await deal(page, { seed: 1, produce: 3 });
      const before = await page.getByTestId('boards').textContent();
      await page.getByRole('link', { name: 'Shapes' }).click();
      await page.getByRole('textbox', { name: 'Pattern' }).fill('(5431)');
      await page.getByRole('link', { name: 'Deals', exact: true }).click();
      assert.equal(await page.getByTestId('boards').textContent(), before);
      await page.getByRole('link', { name: 'Files' }).click();
      await page.getByTestId('file-status').filter({ hasText: '3 boards from the deals of the script' }).waitFor();
      await page.getByRole('link', { name: 'Shapes' }).click();
      assert.equal(await page.getByRole('textbox', { name: 'Pattern' }).inputValue(), '(5431)');
    });

    onPage('studies an opening lead', '#/studies', async (page) => {
      await page.getByLabel('Layouts').fill('6');
      await page.getByRole('button', { name: 'Study' }).click();
      await page
        .getByTestId('study-status')
        .filter({ hasText: /^\s*6 layouts solved/ })
        .waitFor({ timeout: 90_000 });
      const rows = page.getByTestId('leads').locator('tbody tr');
      assert.ok((await rows.count()) >= 6);
      assert.match(await rows.first().textContent(), /\d to \d/);
    });

    onPage('compares contracts on the same deals', '#/studies', async (page) => {
      await page.getByRole('button', { name: 'Contracts' }).click();
      await page.getByLabel('Layouts').fill('6');
      await page.getByRole('textbox', { name: 'Contracts' }).fill('3N-S, 4S-S');
      await page.getByRole('button', { name: 'Study' }).click();
      await page
        .getByTestId('study-status')
        .filter({ hasText: /^\s*6 layouts solved/ })
        .waitFor({ timeout: 90_000 });
      assert.equal(await page.getByTestId('contracts').locator('tbody tr').count(), 2);
      await page.getByRole('textbox', { name: 'Contracts' }).fill('9Q, 4S');
      await page.getByRole('button', { name: 'Study' }).click();
      await page.getByRole('alert').filter({ hasText: 'is not a contract' }).waitFor();
    });

    onPage('ends a study at a precision where the program does, with its numbers', '#/studies', async (page) => {
      await page.getByRole('button', { name: 'Contracts' }).click();
      await page.getByRole('textbox', { name: 'Contracts' }).fill('3N-S, 4S-S');
      await page.getByLabel('Precision').fill('9 tables');
      await page.getByLabel('Deals in all').fill('4000');
      await page.getByRole('button', { name: 'Study' }).click();
      await page.getByRole('alert').filter({ hasText: 'a precision is a positive number with a unit' }).waitFor();
      await page.getByLabel('Precision').fill('9%');
      await page.getByRole('button', { name: 'Study' }).click();
      const status = page.getByTestId('study-status').filter({ hasText: /^\s*\d+ layouts solved, \d+ screened/ });
      await status.waitFor({ timeout: 180_000 });
      const [solved, screened] = (await status.textContent()).match(/\d+/g);
      // The condition of the first script.
      const condition =
        'spades(south) == 5 && spades(north) == 3 && hcp(north) + hcp(south) >= 25 && hcp(north) + hcp(south) <= 27' +
        ' && shape(south, any 5332) && shape(north, any 4333 + any 4432)';
      const study = ['compare', '-k', '3N-S', '-k', '4S-S', '-c', condition, '--precision', '9%', '--control', '4000'];
      const printed = program(CROUPIER, study);
      assert.ok(
        printed.startsWith(`${solved} deals solved, ${screened} looked into, of 4000`),
        `${solved}, ${screened}: ${printed}`,
      );
      const made = printed.match(/^3N by S +\S+ +\S+ +(\S+)/m)[1];
      const row = await page.getByTestId('contracts').locator('tbody tr').first().textContent();
      assert.ok(row.includes(made), `${row}: ${made}`);
    });

    onPage('values a hand entered by clicking cards', '#/hand', async (page) => {
      await page.getByLabel('Value a pair').uncheck();
      await page.getByRole('button', { name: 'Clear' }).click();
      const suits = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };
      const names = { A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten' };
      for (const card of ['SA', 'SK', 'SQ', 'S2', 'HK', 'HJ', 'H3', 'DA', 'D7', 'D4', 'C9', 'C5', 'C2']) {
        await page
          .getByRole('button', { name: `${names[card[1]] ?? card[1]} of ${suits[card[0]]}`, exact: true })
          .click();
      }
      await page.getByTestId('hand-hcp').filter({ hasText: '17' }).waitFor();
      const text = program(CROUPIER, ['value', '--format', 'csv', 'AKQ2.KJ3.A74.952']);
      // Every method is there, and opens to its parts.
      const methods = new Set(
        text
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',')[1]),
      );
      assert.deepEqual(
        (await page.getByTestId('methods').locator('tbody code').allTextContents()).sort(),
        [...methods].sort(),
      );
      const rows = page.getByTestId('methods').locator('tbody tr');
      const before = await rows.count();
      await page.getByRole('button', { name: 'cccc', exact: true }).click();
      assert.ok((await rows.count()) > before);
      const cccc = text
        .split('\n')
        .find((line) => /^hand,cccc,total,,/.test(line))
        .split(',')
        .pop();
      assert.equal(Number(await page.getByTestId('hand-cccc').textContent()), Number(cccc));
    });

    onPage('covers shapes and says how probable they are', '#/shapes', async (page) => {
      await page.getByRole('textbox', { name: 'Pattern' }).fill('5M(332)');
      await page.getByTestId('shape-count').filter({ hasText: /^6$/ }).waitFor();
      const text = program(CROUPIER, ['shapes', '5M(332)']);
      assert.ok(text.includes(await page.getByTestId('shape-probability').textContent()), text);
      await page.getByRole('textbox', { name: 'Pattern' }).fill('5Q');
      await page.getByRole('alert').filter({ hasText: 'character' }).waitFor();
    });

    onPage('gives exact poker equity with a board', '#/poker', async (page) => {
      await page.getByLabel('Range of player 1', { exact: true }).first().fill('AA');
      await page.getByLabel('Range of player 2', { exact: true }).first().fill('KK');
      await page.getByRole('button', { name: 'K of hearts' }).click();
      await page.getByRole('button', { name: '7 of diamonds' }).click();
      await page.getByRole('button', { name: '2 of clubs' }).click();
      await page.getByRole('button', { name: 'Compute' }).click();
      const row = page.getByTestId('equity').locator('tbody tr').first();
      await row.waitFor();
      const exact = JSON.parse(
        program(CROUPIER, ['poker', 'equity', 'AA', 'KK', '--board', 'Kh7d2c', '--format', 'json']),
      );
      assert.ok(Math.abs(digits(await row.locator('strong').textContent()) - 100 * exact.players[0].equity) < 0.001);
      await page.getByText(/^Exact/).waitFor();
    });

    onPage('colours every hand of a range by its equity', '#/poker', async (page) => {
      await page.getByLabel('Range of player 1', { exact: true }).first().fill('JJ+, AKs');
      await page.getByLabel('Range of player 2', { exact: true }).first().fill('TT+, AQs+');
      for (const card of ['K of hearts', '7 of diamonds', '2 of clubs'])
        await page.getByRole('button', { name: card }).click();
      await page.getByLabel('Range of player 1', { exact: true }).first().focus();
      await page.getByLabel('Heat map').check();
      await page.getByRole('button', { name: 'Compute' }).click();
      await page.locator('.cell.hot').nth(4).waitFor();
      const shown = await page.locator('.cell.hot').evaluateAll((cells) => cells.map((it) => it.title));
      const listed = JSON.parse(
        program(CROUPIER, [
          'poker',
          'matrix',
          'JJ+, AKs',
          '--against',
          'TT+, AQs+',
          '--board',
          'Kh7d2c',
          '--format',
          'json',
        ]),
      ).kinds.filter((it) => it.combos > 0);
      assert.deepEqual(shown.sort(), listed.map((it) => `${it.hand}: ${(100 * it.equity).toFixed(2)} %`).sort());
    });

    onPage('paints a range by dragging, by the slider and by keys', '#/poker', async (page) => {
      const range = page.getByLabel('Range of player 1', { exact: true }).first();
      await page.getByLabel('Best percent of hands').fill('0');
      const cell = (name) => page.locator(`[data-class="${name}"]`);
      await cell('AA').hover();
      await page.mouse.down();
      await cell('KK').hover();
      await cell('QQ').hover();
      await page.mouse.up();
      assert.match(await range.inputValue(), /QQ\+|AA.*QQ/);
      await cell('QQ').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      assert.match(await range.inputValue(), /QJs/);
      await page.getByLabel('Best percent of hands').fill('20');
      assert.equal(await range.inputValue(), '20%');
      await page
        .locator('.range')
        .filter({ hasText: /(19|20)\.\d % of all hands/ })
        .waitFor();
      // The program orders hands by equity against a random hand.
      const painted = page.locator('[data-class][aria-selected="true"], [data-class][aria-pressed="true"]');
      const names = await painted.evaluateAll((cells) => cells.map((cell) => cell.dataset.class));
      const listed = JSON.parse(program(CROUPIER, ['poker', 'matrix', '20%', '--format', 'json'])).kinds.filter(
        (it) => it.combos > 0,
      );
      assert.deepEqual(names.sort(), listed.map((it) => it.hand).sort());
    });

    onPage('reads a dropped PBN and writes what it read', '#/files', async (page) => {
      const pbn = program(DEALER, ['-s', '9', '-p', '6', '--format', 'pbn', '-'], 'condition hcp(east) > 10');
      const data = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'evening.pbn'));
        return transfer;
      }, pbn);
      await page.getByTestId('drop').dispatchEvent('drop', { dataTransfer: data });
      await page.getByTestId('file-status').filter({ hasText: '6 boards from evening.pbn (PBN)' }).waitFor();
      const save = async (format) => {
        await page.getByRole('button', { name: 'Download' }).click();
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('menuitem', { name: format }).first().click(),
        ]);
        return file;
      };
      const lin = readFileSync(await (await save('LIN')).path(), 'utf8');
      assert.equal(lin.match(/md\|/g).length, 6);
      assert.equal(readFileSync(await (await save('DUP')).path()).length, 6 * 156);
      const record = await save('Hand records (PDF)');
      assert.equal(record.suggestedFilename(), 'evening.pdf');
      assert.equal(
        readFileSync(await record.path())
          .subarray(0, 5)
          .toString(),
        '%PDF-',
      );
      // Every format that the program writes is in the menu. The browser allows a page ten downloads, so three are not tried.
      for (const format of ['DLM', 'BBO links', 'CSV', 'JSON', 'ZRD', 'DL52'])
        assert.ok(readFileSync(await (await save(format)).path()).length > 100, format);
      await page.getByRole('button', { name: 'Download' }).click();
      for (const format of [/^BRI/, /^DGE/, /^Text, compact/])
        await page.getByRole('menuitem', { name: format }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Open board 1' }).click();
      const href = await page.getByRole('link', { name: "Open in BBO's handviewer" }).getAttribute('href');
      assert.match(href, /handviewer\.html\?n=s/);
    });

    onPage('says what is wrong with a file', '#/files', async (page) => {
      await page.getByLabel('Choose a file').setInputFiles(fileOf('nothing.txt', 'hello\n'));
      await page.getByRole('alert').filter({ hasText: 'no deals in this file' }).waitFor();
    });

    onPage('a link brings script and seed back', '', async (page) => {
      await writeScript(page, '# shared ♠\ncondition hcp(south) > 17');
      await deal(page, { seed: 77, produce: 2 });
      const first = await page.getByTestId('boards').textContent();
      await page.getByRole('button', { name: 'Share' }).click();
      const link = await page.getByTestId('link').inputValue();
      assert.match(link, /#\/deals\?s=/);
      const other = await openPage(browser, link);
      try {
        await other.page.locator('.cm-content').filter({ hasText: 'shared ♠' }).waitFor();
        assert.equal(await other.page.getByLabel('Seed').inputValue(), '77');
        await deal(other.page);
        assert.equal(await other.page.getByTestId('boards').textContent(), first);
      } finally {
        await other.close();
      }
    });

    onPage('a damaged link is told, not a blank page', '#/deals?s=AAAA', async (page) => {
      await page.getByRole('alert').filter({ hasText: 'link is damaged' }).waitFor();
      await page.getByRole('button', { name: 'Deal', exact: true }).waitFor();
    });

    onPage('works by keyboard alone', '', async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Edit the script' }).focus();
      await page.keyboard.press('Enter');
      const editor = page.getByRole('textbox', { name: 'Script in the dealer language' });
      await editor.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('condition hcp(north) > 18 produce 3');
      await page.keyboard.press('Control+Enter');
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      // Escape and then Tab leaves the editor.
      await editor.focus();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      assert.ok(!(await page.evaluate(() => document.activeElement.shadowRoot?.activeElement)));
      await page.getByRole('tab', { name: 'Deals', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.getByRole('tab', { name: 'Statistics' }).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('button', { name: 'Open board 1' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    onPage(
      'fits a phone',
      '',
      async (page) => {
        await writeScript(page, 'condition hcp(north) > 18');
        await deal(page, { seed: 1, produce: 3 });
        for (const view of ['deals', 'scenarios', 'bid', 'studies', 'hand', 'suit', 'shapes', 'poker', 'files']) {
          await page.evaluate((id) => (location.hash = `#/${id}`), view);
          await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 1, `${view} is ${wide} pixels too wide`);
        }
        const fits = async (what) => {
          const wide = await page.evaluate(() =>
            Math.max(
              ...[document.documentElement, ...document.querySelectorAll('dialog')].map(
                (it) => it.scrollWidth - it.clientWidth,
              ),
            ),
          );
          assert.ok(wide <= 1, `${what} is ${wide} pixels too wide`);
        };
        await page.evaluate(() => (location.hash = '#/scenarios'));
        for (const name of ['Mix', 'Level', 'Seat profiles']) {
          await page.getByRole('button', { name, exact: true }).click();
          await fits(name);
        }
        await page.evaluate(() => (location.hash = '#/deals'));
        for (const tab of ['Statistics', 'Probability', 'Compare', 'As text', 'Deals']) {
          await page.getByRole('tab', { name: tab, exact: true }).click();
          await fits(tab);
        }
        await page.getByRole('button', { name: 'Open board 1' }).click();
        await page.getByRole('button', { name: 'Solve double dummy' }).click();
        await page.getByRole('dialog').getByRole('table').waitFor();
        await fits('a board');
        await page.getByRole('button', { name: 'Play', exact: true }).click();
        await page.getByTestId('expected').waitFor();
        await fits('the play');
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true },
    );

    onPage(
      'everything that is tapped on a phone is 44 pixels high',
      '',
      async (page) => {
        await page.getByTestId('boards').getByRole('listitem').first().waitFor();
        const found = [];
        const check = async (where) => {
          await page.waitForTimeout(300);
          const low = await page.evaluate(() =>
            [...document.querySelectorAll('button, a[href], select, input, summary, label.button, [role=tab]')]
              // A range of 169 hands has cells of 24 pixels, which are also dragged over. Links in a text are as high as it.
              .filter((it) => it.checkVisibility() && !it.closest('.sr-only, .skip, .cm-editor, p'))
              .map((it) => {
                const target = /checkbox|radio/.test(it.type) ? it.closest('label') : it;
                return {
                  height: target.getBoundingClientRect().height,
                  name: it.ariaLabel ?? it.textContent ?? it.type,
                };
              })
              .filter(({ height }) => height > 0 && height < 43.5)
              .map(({ height, name }) => `${name.trim().slice(0, 40)}: ${height.toFixed(0)}`),
          );
          found.push(...new Set(low.map((it) => `${where}: ${it}`)));
        };
        for (const view of ['deals', 'scenarios', 'bid', 'studies', 'hand', 'suit', 'shapes', 'poker', 'files']) {
          await page.evaluate((id) => (location.hash = `#/${id}`), view);
          await check(view);
        }
        await page.evaluate(() => (location.hash = '#/scenarios'));
        for (const name of ['Mix', 'Level', 'Seat profiles']) {
          await page.getByRole('button', { name, exact: true }).click();
          await check(name);
        }
        await page.evaluate(() => (location.hash = '#/deals'));
        await page.getByRole('button', { name: 'Download' }).click();
        await check('formats');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Edit the script' }).click();
        await page.getByText('Further settings').click();
        await check('script');
        for (const tab of ['Statistics', 'Probability', 'Compare', 'As text', 'Deals']) {
          await page.getByRole('tab', { name: tab, exact: true }).click();
          await check(tab);
        }
        await page.getByRole('button', { name: 'Open board 1', exact: true }).click();
        await page.getByRole('button', { name: 'Play', exact: true }).click();
        await page.getByTestId('expected').waitFor();
        await check('play');
        assert.deepEqual(found, []);
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    );

    onPage(
      'follows the dark of the system and remembers the reader',
      '',
      async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await paper();
        await page.getByLabel('Theme').selectOption('light');
        assert.notEqual(await paper(), dark);
        await page.getByLabel('Four colours').check();
        await page.reload();
        assert.equal(await page.locator('html').getAttribute('data-deck'), 'four');
        assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
      },
      { colorScheme: 'dark' },
    );

    for (const scheme of ['light', 'dark']) {
      onPage(
        `has no violations in the eyes of axe, ${scheme}`,
        '',
        async (page) => {
          await writeScript(
            page,
            'condition hcp(north) > 14 produce 4 action printall, average "p" hcp(south), frequency "h" (hearts(north), 0, 8)',
          );
          await deal(page, { seed: 1, produce: '' });
          await page.evaluate(AXE.replace(/^/, 'void 0;'));
          const check = async (where) => {
            const found = await page.evaluate(async () =>
              (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations.map(
                (it) => `${it.id}: ${it.nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
              ),
            );
            assert.deepEqual(found, [], where);
          };
          await check('deals');
          for (const tab of ['Statistics', 'Probability', 'Compare', 'As text']) {
            await page.getByRole('tab', { name: tab }).click();
            await check(tab);
          }
          await page.getByRole('tab', { name: 'Deals', exact: true }).click();
          await page.getByRole('button', { name: 'Open board 1' }).click();
          await page.getByRole('dialog').waitFor();
          await check('board');
          await page.getByRole('button', { name: 'Solve double dummy' }).click();
          await page.getByRole('dialog').getByRole('table').waitFor();
          await page.getByRole('button', { name: 'Play', exact: true }).click();
          await page.getByTestId('expected').waitFor();
          await check('play');
          await page.keyboard.press('Escape');
          await writeScript(page, 'condition hcp(nrth) > 14');
          await page.getByTestId('messages').filter({ hasText: 'nrth' }).waitFor();
          await check('messages');
          for (const view of ['scenarios', 'bid', 'studies', 'hand', 'suit', 'shapes', 'poker', 'files']) {
            await page.evaluate((id) => (location.hash = `#/${id}`), view);
            await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
            await page.waitForTimeout(300);
            await check(view);
          }
          await page.evaluate(() => (location.hash = '#/studies'));
          for (const name of ['Contracts', 'Declarer’s plan']) {
            await page.getByRole('button', { name, exact: true }).click();
            await check(name);
          }
          await page.evaluate(() => (location.hash = '#/scenarios'));
          await page.getByRole('button', { name: 'Show Smolen' }).click();
          await check('a scenario');
          for (const name of ['Mix', 'Level', 'Seat profiles']) {
            await page.getByRole('button', { name, exact: true }).click();
            await check(name);
          }
          await page.evaluate(() => (location.hash = '#/poker'));
          for (const card of ['K of hearts', '7 of diamonds', '2 of clubs'])
            await page.getByRole('button', { name: card }).click();
          await page.getByLabel('Heat map').check();
          await page.getByRole('button', { name: 'Compute' }).click();
          await page.locator('.cell.hot').nth(9).waitFor();
          await check('heat map');
          await page.getByRole('button', { name: 'Push or fold' }).click();
          await page.getByRole('button', { name: 'Heads-up, 10 blinds' }).click();
          await page.getByTestId('push-share').waitFor();
          await check('push or fold');
          await page.getByRole('button', { name: 'Solver', exact: true }).click();
          await page.getByRole('button', { name: 'Solve', exact: true }).click();
          await page.getByTestId('spot-actions').waitFor();
          await page.getByRole('gridcell', { name: /^KQs:/ }).last().click();
          await check('solver');
          await page.evaluate(() => (location.hash = '#/bid'));
          await page.getByRole('button', { name: 'Start the session' }).click();
          await page.getByTestId('bid-status').waitFor();
          await check('an auction');
          while (!(await page.getByTestId('robots-auction').isVisible())) {
            const pass = page.getByRole('group', { name: 'Bidding box' }).getByRole('button', { name: 'Pass' });
            if (await pass.isEnabled().catch(() => false)) await pass.click();
            await page.waitForTimeout(100);
          }
          await check('a board that was bid');
        },
        // Colours during a transition are not checked.
        { colorScheme: scheme, reducedMotion: 'reduce' },
      );
    }
  });
}
