// Recipes, boards and files as readers use them, over both engines.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CROUPIER, deal, ENGINES, openBrowser, openPage, openServers, program, ROOT, writeScript } from './harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'croupier-recipes-'));
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

/** A board with players, auction, explanation, contract, result, play and a note. */
const PLAYED = `% PBN 2.1
[Event "Club evening"]
[Site "Town"]
[Date "2026.01.02"]
[Board "1"]
[West "Wim"]
[North "Nora"]
[East "Eva"]
[South "Sam"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQ.432.AKQ.AKQ2 432.AKQJT.432.43 JT98.98.JT98.JT9 765.765.765.8765"]
[Scoring "IMP"]
[Declarer "N"]
[Contract "3NT"]
[Result "8"]
{The club is cold.}
[Auction "N"]
2NT =1= Pass 3NT Pass
Pass Pass
[Note "1:20 to 22"]
[Play "E"]
HA H8 H5 H2
HK H9 H6 H3
*
`;

/** Returns the high-card points that the boards show for a seat. */
const pointsOf = (page, seat) =>
  page
    .getByTestId('boards')
    .getByRole('listitem')
    .evaluateAll((all, name) => all.map((it) => Number(it.textContent.match(new RegExp(`${name} (\\d+)`))[1])), seat);

async function mixStaymanAndSmolen(page) {
  await page.evaluate(() => (location.hash = '#/scenarios'));
  await page.getByRole('button', { name: 'Mix', exact: true }).click();
  await page.getByRole('button', { name: 'Add Stayman', exact: true }).click();
  await page.getByRole('button', { name: 'Add Smolen', exact: true }).click();
  await page.getByRole('button', { name: 'Deal the mixture' }).click();
  await page.getByText('Mixed with 1 other script').waitFor();
  await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
}

/** Returns the file of a download from the menu. */
async function downloaded(page, format) {
  await page.getByRole('button', { name: 'Download' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).first().click(),
  ]);
  return readFileSync(await download.path());
}

test('every option of a run is on the page, or listed here with the reason why not', () => {
  const source = (path) => readFileSync(join(ROOT, 'web/src', path), 'utf8');
  const request = source('engine/types.ts').match(/export interface RunRequest \{([\s\S]*?)\n\}/)[1];
  const fields = [...request.matchAll(/^ {2}(\w+)\??:/gm)].map((it) => it[1]);
  const notOnPage = {
    deals: 'boards of files are opened in the view Files',
    solve: 'Solve all boards',
  };
  const recipe = source('lib/recipe.ts').match(/export function runRequest[\s\S]*?\n\}/)[0] + source('lib/settings.ts');
  const study =
    source('views/Studies.svelte')
      .match(/layouts\(\{[^}]*/g)
      .join() + source('lib/study.ts').match(/\{ \.\.\.request[^}]*/)[0];
  for (const field of fields) {
    const isOnPage = new RegExp(`\\b${field}\\b`).test(recipe) || new RegExp(`\\b${field}\\b`).test(study);
    assert.ok(isOnPage !== field in notOnPage, `${field} is ${isOnPage ? '' : 'not '}on the page`);
  }
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

    onPage('a mixture ends when its script is replaced', '', async (page) => {
      await mixStaymanAndSmolen(page);
      await writeScript(page, 'condition hcp(north)>=20');
      await deal(page, { seed: 1, produce: 8 });
      for (const points of await pointsOf(page, 'North')) assert.ok(points >= 20, `North has ${points}`);
      assert.equal(await page.getByText('Mixed with').count(), 0);
      await page.getByRole('button', { name: 'Restore the mixture' }).click();
      await page.getByText('Mixed with 1 other script').waitFor();
    });

    onPage('further settings reach the run and its link, and a tournament shows its key', '', async (page) => {
      await writeScript(page, 'action printall');
      await page.getByText('Further settings').click();
      await page.getByLabel('North holds').fill('SAKQJ');
      await page.getByLabel('First board').fill('7');
      await deal(page, { seed: 1, produce: 2 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      assert.match(await boards.first().textContent(), /7.*AKQJ/s);
      await page.getByText('Further settings (2 given)').waitFor();
      await page.getByRole('button', { name: 'Share' }).click();
      const link = await page.getByTestId('link').inputValue();
      await page.getByLabel('North holds').fill('');
      await page.getByLabel('Tournament boards of the key').fill('new');
      await deal(page, { seed: 1, produce: 2 });
      await page
        .getByTestId('tournament')
        .filter({ hasText: /[0-9a-f]{64}/ })
        .waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the key file' }).click(),
      ]);
      assert.match(readFileSync(await download.path(), 'utf8'), /^key:[0-9a-f]{64}\nboards:2\nfirst:7\n/);
      await page.goto(link);
      await page.getByText('Further settings (2 given)').waitFor();
    });

    onPage('shares end when their classes are gone', '#/scenarios', async (page) => {
      await page.getByRole('button', { name: 'Level', exact: true }).click();
      await page.getByRole('button', { name: 'Take an example' }).click();
      await page.getByRole('button', { name: 'Deal in these shares' }).click();
      await page.getByText('Levelled: Weak=1').waitFor();
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      await writeScript(page, 'condition hcp(north)>=20');
      await deal(page, { seed: 1, produce: 4 });
      for (const points of await pointsOf(page, 'North')) assert.ok(points >= 20);
    });

    onPage('a reload keeps the whole recipe, and tabs do not share it', '', async (page) => {
      await mixStaymanAndSmolen(page);
      await page.getByLabel('Dealer', { exact: true }).selectOption('S');
      await page.getByLabel('Vulnerable', { exact: true }).selectOption('ew');
      await deal(page, { seed: 4711, produce: 6 });
      const before = await page.getByTestId('boards').textContent();
      assert.match(before, /Dealer S.*Vul E-W/s);
      const other = await page.context().newPage();
      await other.goto(servers[engine].url);
      await other.getByTestId('boards').waitFor();
      await writeScript(other, 'condition hcp(north) > 25');
      await deal(other, { seed: 2, produce: 1 });
      await other.close();
      await page.reload();
      await page.getByText('Mixed with 1 other script').waitFor();
      await page.getByTestId('status').filter({ hasText: 'Seed 4711.' }).waitFor();
      assert.equal(await page.getByTestId('boards').textContent(), before);
    });

    onPage('a wrong hand leaves nothing to study', '#/studies', async (page) => {
      const field = page.getByRole('textbox', { name: "West's hand" });
      await field.fill('KQT4.Q83.J92.A6X');
      await field.press('Tab');
      await page.getByRole('alert').first().waitFor();
      await page.getByText('0 of 13 cards').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Study', exact: true }).isDisabled());
      await field.fill('♠KQ104 ♥Q83 ♦J92 ♣A65');
      await field.press('Tab');
      await page.getByText('13 of 13 cards').waitFor();
    });

    onPage('Stop keeps the statistics and marks them as partial', '', async (page) => {
      for (const script of [
        'generate 2000000000 action average "points" hcp(north)',
        // A run that cannot be divided into parts.
        'generate 2000000000 action average "points" hcp(north) + rnd(0)',
        // A run that solves every deal.
        'generate 2000000 action average "points" tricks(north, notrumps)',
      ]) {
        await writeScript(page, script);
        await page.getByRole('button', { name: 'Deal', exact: true }).click();
        await page
          .getByTestId('status')
          .filter({ hasText: /[1-9][\d,]* found in/ })
          .waitFor();
        await page.getByRole('button', { name: 'Stop' }).click();
        await page.getByTestId('status').filter({ hasText: 'partial' }).waitFor();
        await page.getByTestId('partial').waitFor();
        assert.match(await page.getByTestId('mean').textContent(), /\d/, script);
      }
    });

    onPage('writes all boards of a long run, and reads the file again', '', async (page) => {
      await writeScript(page, 'action printall');
      await deal(page, { seed: 1, produce: 6000 });
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('menu').filter({ hasText: '6,000 boards' }).waitFor();
      await page.keyboard.press('Escape');
      const text = String(await downloaded(page, 'PBN'));
      assert.equal(text.match(/\[Deal /g).length, 6000);
      assert.ok(text.length > 1_000_000);
      await page.getByRole('link', { name: 'Files' }).click();
      await page.getByLabel('Choose a file').setInputFiles(fileOf('long.pbn', text));
      await page.getByTestId('file-status').filter({ hasText: '6,000 boards from long.pbn' }).waitFor();
    });

    onPage('a played board loses nothing, shows its auction and replays', '#/files', async (page) => {
      const path = fileOf('played.pbn', PLAYED);
      await page.getByLabel('Choose a file').setInputFiles(path);
      await page.getByTestId('contract').filter({ hasText: '3NT by North, down 1' }).waitFor();
      const written = String(await downloaded(page, 'PBN'));
      // `convert` keeps the lines of the file; the page writes PBN's export format, with its directive and line ends.
      const lines = (text) => text.split(/\r?\n/).filter((line) => line !== '% EXPORT');
      assert.deepEqual(lines(written), lines(program(CROUPIER, ['convert', '--to', 'pbn', path])));
      await page.getByRole('button', { name: 'Open board 1' }).click();
      const dialog = page.getByRole('dialog');
      assert.match(await dialog.getByTestId('auction').textContent(), /Wim.*Nora.*2NT.*3NT/s);
      await dialog.getByText('20 to 22').waitFor();
      await dialog.getByRole('button', { name: 'Replay the play' }).click();
      await dialog.getByRole('button', { name: 'Trick ›' }).click();
      await dialog.getByTestId('replayed').filter({ hasText: '4 of 8 cards' }).waitFor();
      assert.equal(await dialog.getByTestId('tricks-played').locator('tbody tr').count(), 1);
      await dialog.getByRole('button', { name: 'End play' }).click();
      await dialog.getByRole('button', { name: 'Play', exact: true }).click();
      await dialog.getByRole('heading', { name: 'North plays 3NT' }).waitFor();
      for (let card = 0; card < 52; card++) {
        await dialog.getByRole('button', { name: 'Best card' }).click();
        await dialog.getByText('Valuing the cards').waitFor({ state: 'detached' });
      }
      await dialog.getByTestId('play-result').filter({ hasText: 'down 1' }).waitFor();
    });

    onPage('the view of a script that only averages does not stay', '', async (page) => {
      await writeScript(page, 'generate 1000 action average hcp(north)');
      await deal(page, { seed: 1, produce: '' });
      assert.equal(await page.getByRole('tab', { name: 'Statistics' }).getAttribute('aria-selected'), 'true');
      await writeScript(page, 'produce 3');
      await deal(page, { seed: 1 });
      assert.equal(await page.getByTestId('boards').getByRole('listitem').count(), 3);
    });

    onPage('Deal keeps the focus, gives new deals and finds the way back', '', async (page) => {
      await page.getByTestId('boards').getByRole('listitem').first().waitFor();
      const button = page.getByRole('button', { name: 'Deal', exact: true });
      const seedOf = async () => (await page.getByTestId('status').textContent()).match(/Seed (\d+)\./)[1];
      await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
      const first = await page.getByTestId('boards').textContent();
      const firstSeed = await seedOf();
      assert.ok(firstSeed.length <= 6);
      await button.click();
      await page
        .getByTestId('status')
        .filter({ hasNotText: `Seed ${firstSeed}.` })
        .filter({ hasText: 'Seed' })
        .waitFor();
      assert.notEqual(await page.getByTestId('boards').textContent(), first);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Deal');
      await page.getByRole('button', { name: 'Deals before' }).click();
      await page
        .getByTestId('status')
        .filter({ hasText: `Seed ${firstSeed}.` })
        .waitFor();
      assert.equal(await page.getByTestId('boards').textContent(), first);
      await page.getByLabel('Seed', { exact: true }).fill('-5');
      await page.getByRole('alert').filter({ hasText: 'whole number' }).waitFor();
    });

    onPage('Enter in a field of a script or a study starts it', '', async (page) => {
      await writeScript(page, 'condition hcp(north) == $0 produce 3');
      await page.getByLabel('Text for $0').fill('19');
      await page.getByLabel('Text for $0').press('Enter');
      await page.getByTestId('status').filter({ hasText: '3 deals found' }).waitFor();
      assert.deepEqual(await pointsOf(page, 'North'), [19, 19, 19]);
      await page.getByText('Further settings').click();
      await page.getByLabel('First board').fill('21');
      await page.getByLabel('First board').press('Enter');
      await page.getByRole('button', { name: 'Open board 21', exact: true }).waitFor();
      await page.evaluate(() => (location.hash = '#/studies'));
      await page.getByLabel('Layouts').fill('2');
      await page.getByLabel('Layouts').press('Enter');
      await page
        .getByTestId('study-status')
        .filter({ hasText: /^\s*2 layouts solved/ })
        .waitFor({ timeout: 90_000 });
      await page.evaluate(() => (location.hash = '#/poker'));
      await page.getByLabel('Range of player 1', { exact: true }).first().press('Enter');
      await page.getByTestId('equity').waitFor();
    });

    onPage('messages show code, not backquotes', '#/shapes', async (page) => {
      const alert = page.getByRole('alert').filter({ visible: true });
      await page.getByRole('textbox', { name: 'Pattern' }).fill('(54');
      await alert.filter({ hasText: '(' }).waitFor();
      assert.equal(await alert.locator('code').first().textContent(), '(');
      assert.doesNotMatch(await alert.textContent(), /`/);
      // Every place that shows a message of the engine shows its code.
      const folder = join(ROOT, 'web/src');
      for (const name of readdirSync(folder, { recursive: true }).filter((it) => it.endsWith('.svelte'))) {
        const raw = readFileSync(join(folder, name), 'utf8').match(/>\{(\w+\.)?problem(\.message)?\}/);
        assert.equal(raw, null, `${name}: ${raw}`);
      }
    });

    onPage('labels of charts are not cut off', '', async (page) => {
      await writeScript(
        page,
        'produce 3000 action frequency "rare" (hcp(north) == 30 or spades(north) > 12, 0, 1), frequency "points of all" (hcp(north) * 1000, 0, 12000)',
      );
      await deal(page, { seed: 1, produce: '' });
      await page.getByRole('tab', { name: 'Statistics' }).click();
      const charts = page.locator('svg[role=img]');
      await charts.nth(1).waitFor();
      const cut = await charts.evaluateAll((all) =>
        all.flatMap((svg) => {
          const { left, right, top, bottom } = svg.getBoundingClientRect();
          return [...svg.querySelectorAll('text')]
            .filter((it) => {
              const box = it.getBoundingClientRect();
              return box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1;
            })
            .map((it) => it.textContent);
        }),
      );
      assert.deepEqual(cut, []);
    });

    onPage('exports have par after solving', '#/files', async (page) => {
      await page.getByLabel('Choose a file').setInputFiles(fileOf('par.pbn', PLAYED));
      await page.getByRole('button', { name: 'Solve all boards' }).click();
      await page.getByText(/Par [+−]\d+/).waitFor();
      const rows = String(await downloaded(page, 'CSV'))
        .trim()
        .split('\n');
      const column = rows[0].split(',').indexOf('par');
      assert.match(rows[1].split(',')[column], /^-?\d+$/);
      assert.match(String(await downloaded(page, 'JSON')), /"par":-?\d+/);
      assert.match(String(await downloaded(page, 'PBN')), /\[OptimumScore "/);
      // The hand record has the same words for par.
      const shown = await page.locator('.par').first().textContent();
      const printed = execFileSync('pdftotext', [fileOf('par.pdf', await downloaded(page, 'Hand records')), '-']);
      const [, score, contract] = shown.match(/Par ([+−]\d+) for N-S:\s*(\S+ [NESW]+)/);
      assert.ok(String(printed).includes(score) && String(printed).includes(contract), `${shown}: ${printed}`);
    });

    onPage(
      'on a phone a scenario opens in sight, and Back closes it and a board',
      '#/scenarios',
      async (page) => {
        const show = page.getByRole('button', { name: /^Show / }).last();
        await show.scrollIntoViewIfNeeded();
        await show.click();
        const heading = page.locator('aside h2');
        const { y } = await heading.boundingBox();
        assert.ok(y >= 0 && y < 740, `the heading is at ${y}`);
        await page.goBack();
        await heading.waitFor({ state: 'detached' });
        await page.evaluate(() => (location.hash = '#/deals'));
        await page.getByRole('button', { name: 'Open board 1', exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await page.goBack();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.ok(await page.getByTestId('boards').isVisible());
      },
      { viewport: { width: 390, height: 740 }, hasTouch: true },
    );

    onPage('six cards of a suit fit on a line', '', async (page) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await writeScript(page, 'condition hearts(west) == 6 and spades(east) == 6 action printall');
      await deal(page, { seed: 1, produce: 4 });
      const heights = await page
        .getByTestId('boards')
        .locator('.ranks')
        .evaluateAll((all) => [...new Set(all.map((it) => Math.round(it.getBoundingClientRect().height)))]);
      assert.equal(heights.length, 1, `heights of suits: ${heights}`);
    });

    onPage('boards are deleted, dealt again, edited, moved and noted', '', async (page) => {
      await writeScript(page, 'condition hcp(north) == 20');
      await deal(page, { seed: 1, produce: 3 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      const texts = () => boards.evaluateAll((all) => all.map((it) => it.querySelector('.N').textContent));
      const [one, two, three] = await texts();
      const choose = async (board, action) => {
        await page.getByRole('button', { name: `Board ${board}: actions` }).click();
        await page.getByRole('menuitem', { name: action }).click();
      };
      await choose(1, 'Move down');
      assert.deepEqual(await texts(), [two, one, three]);
      await choose(1, 'Delete');
      assert.deepEqual(await texts(), [one, three]);
      await choose(1, 'Another deal instead');
      await page.waitForFunction((old) => document.querySelector('[data-testid=boards] .N').textContent !== old, one);
      assert.equal((await pointsOf(page, 'North'))[0], 20);
      await choose(2, 'Write a note');
      await page.getByRole('dialog').getByLabel('Note').fill('Lead a club.');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await boards.nth(1).getByText('Lead a club.').waitFor();
      assert.match(String(await downloaded(page, 'PBN')), /\{Lead a club\.\}/);
      await page.getByRole('button', { name: 'Add a board' }).click();
      const editor = page.getByRole('dialog');
      await editor.getByLabel('Cards of North').fill('S AKQ2 H AKQ D AKQ C AKQ');
      await editor.getByLabel('Cards of North').press('Tab');
      await editor.getByRole('button', { name: 'Deal the rest at random' }).click();
      await editor.getByRole('button', { name: 'Save the board' }).click();
      await editor.waitFor({ state: 'detached' });
      assert.equal((await pointsOf(page, 'North'))[2], 36);
      await page.getByLabel('Hands to show').selectOption('ns');
      assert.equal(
        await boards
          .first()
          .getByRole('group', { name: /^East:/ })
          .count(),
        0,
      );
    });

    onPage('boards of a mixture say where they come from', '', async (page) => {
      await mixStaymanAndSmolen(page);
      await deal(page, { seed: 1, produce: 6 });
      const names = await page.getByTestId('boards').locator('.tag').allTextContents();
      assert.deepEqual(names.toSorted(), ['Smolen', 'Smolen', 'Smolen', 'Stayman', 'Stayman', 'Stayman']);
    });

    onPage('a board is studied: its lead, and contracts with both known hands', '#/files', async (page) => {
      await page.getByLabel('Choose a file').setInputFiles(fileOf('study.pbn', PLAYED));
      await page.getByRole('button', { name: 'Open board 1' }).click();
      await page.getByRole('button', { name: 'Study this lead' }).click();
      await page.getByRole('heading', { name: 'East leads' }).waitFor();
      assert.equal(await page.getByRole('textbox', { name: "East's hand" }).inputValue(), '432.AKQJT.432.43');
      await page.getByLabel('Layouts').fill('3');
      await page.getByRole('button', { name: 'Study', exact: true }).click();
      await page.getByTestId('study-status').filter({ hasText: '3 layouts solved' }).waitFor({ timeout: 90_000 });
      await page.getByRole('link', { name: 'Files' }).click();
      await page.getByRole('button', { name: 'Open board 1' }).click();
      await page.getByRole('button', { name: 'Compare contracts' }).click();
      await page.getByTestId('known-hands').filter({ hasText: 'North' }).filter({ hasText: 'South' }).waitFor();
    });

    onPage('boards are pasted anywhere on the page', '', async (page) => {
      await page.getByTestId('boards').getByRole('listitem').first().waitFor();
      await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      }, PLAYED);
      await page.getByTestId('file-status').filter({ hasText: '1 board from the clipboard' }).waitFor();
    });

    onPage('ten thousand boards scroll', '', async (page) => {
      await writeScript(page, 'action printall');
      await deal(page, { seed: 1, produce: 10000 });
      const boards = page.getByTestId('boards').getByRole('listitem');
      assert.ok((await boards.count()) < 100);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.getByRole('button', { name: 'Open board 10000', exact: true }).waitFor();
      assert.ok((await boards.count()) < 100);
      await page.setViewportSize({ width: 1920, height: 1000 });
      const hide = page.getByRole('button', { name: 'Hide the script' });
      const columns = () =>
        page.getByTestId('boards').evaluate((it) => getComputedStyle(it).gridTemplateColumns.split(' ').length);
      assert.ok((await columns()) >= 2);
      await hide.click();
      assert.ok((await columns()) >= 3);
    });

    onPage('texts for $0 to $9, own scripts and the language', '', async (page) => {
      await writeScript(page, 'condition hcp(north) == $0 and spades(south) == $1');
      await page.getByLabel('Text for $0').fill('17');
      await page.getByLabel('Text for $1').fill('5');
      await deal(page, { seed: 1, produce: 3 });
      assert.deepEqual(await pointsOf(page, 'North'), [17, 17, 17]);
      await page.getByLabel('Name', { exact: true }).fill('Seventeen');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await writeScript(page, 'condition 1');
      await page.getByLabel('Own scripts').selectOption('Seventeen');
      await page.locator('.cm-content').filter({ hasText: 'hcp(north) == $0' }).waitFor();
      await page.getByRole('button', { name: 'Language' }).click();
      await page.getByRole('region', { name: 'Language reference' }).getByLabel('Search').fill('controls');
      await page.getByText('ace 2, king 1').first().waitFor();
    });

    onPage('all poker games, made hands, own ranges and a link', '#/poker', async (page) => {
      const options = await page.getByLabel('Game').locator('option').allTextContents();
      assert.equal(options.length, 13);
      for (const card of ['K of hearts', '9 of hearts', '2 of clubs'])
        await page.getByRole('button', { name: card }).click();
      await page.getByLabel('Range of player 1', { exact: true }).first().fill('AA, KK, QJs');
      await page.getByRole('button', { name: 'Compute' }).click();
      await page.getByTestId('made-hands').filter({ hasText: 'set' }).waitFor();
      await page.getByTestId('draws').filter({ hasText: 'flush draw' }).waitFor();
      await page.getByLabel('Keep it as').fill('strong');
      await page.getByRole('button', { name: 'Save the range' }).click();
      await page.getByLabel('Weight to paint').selectOption('50');
      await page.locator('[data-class="72o"]').click();
      assert.match(await page.getByLabel('Range of player 1', { exact: true }).first().inputValue(), /72o:0\.5/);
      // The slider shows the range, not its own last place.
      assert.ok(Number(await page.getByLabel('Best percent of hands').inputValue()) <= 2);
      await page.getByRole('button', { name: 'Share' }).click();
      const other = await openPage(browser, await page.getByTestId('poker-link').inputValue());
      try {
        await other.page.getByTestId('board').filter({ hasText: 'Kh 9h 2c' }).waitFor();
        const range = other.page.getByLabel('Range of player 1', { exact: true }).first();
        assert.match(await range.inputValue(), /72o:0\.5/);
      } finally {
        await other.close();
      }
      for (const game of ['omaha', 'omaha-hi-lo', 'stud', 'razz', '2-7', 'badugi']) {
        await page.getByLabel('Game').selectOption(game);
        await page.getByRole('button', { name: 'Compute' }).click();
        const row = page.getByTestId('equity').locator('tbody tr').first();
        await row.waitFor({ timeout: 60_000 });
        assert.match(await row.textContent(), /\d %/, game);
        assert.equal(await page.getByRole('alert').count(), 0, game);
      }
      await page.getByLabel('Range of player 1', { exact: true }).first().fill('AsAx');
      await page.getByRole('alert').first().waitFor();
      assert.equal(await page.getByRole('alert').count(), 1);
      assert.ok(await page.getByRole('button', { name: 'Compute' }).isDisabled());
    });
  });
}
