// Two tasks as a new user does them, with the mouse and without keyboard shortcuts: every click is counted.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { ENGINES, openBrowser, openPage, openServers } from './harness.mjs';

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

/** The example board of the PBN standard 2.1 by Tis Veugen, section 5.1. */
const SCHIPHOL = `[Event "International Amsterdam Airport Schiphol Bridgetournament"]
[Site "Amsterdam, The Netherlands NLD"]
[Date "1995.06.10"]
[Board "1"]
[West "Podgor"]
[North "Westra"]
[East "Kalish"]
[South "Leufkens"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
[Scoring "IMP"]
[Declarer "S"]
[Contract "5HX"]
[Result "9"]
[Auction "N"]
1D      1S   3H =1= 4S
4NT =2= X    Pass   Pass
5C      X    5H     X
Pass    Pass Pass
[Note "1:non-forcing 6-9, 6-card"]
[Note "2:two colors: clubs and diamonds"]
[Play "W"]
SK =1= H3 S4 S3
C5 C2 C6 CK
S2 H6 S5 S7
C8 CA CT C4
D2 DA DT D3
D4 DK H5 H7
- - - H2
*
[Note "1:highest of series"]
`;

for (const engine of ENGINES) {
  describe(`with the engine ${engine === 'server' ? 'of croupier serve' : 'in the page'}`, () => {
    test('sixteen Stayman boards: printed, as LIN and as PBN, in ten clicks and two minutes', async () => {
      const since = performance.now();
      const { page, wrong, close } = await openPage(browser, servers[engine].url);
      let clicks = 0;
      const click = (name, role = 'button') => {
        clicks += 1;
        return page.getByRole(role, { name }).first().click();
      };
      const download = async (item) => {
        await click('Download');
        const [file] = await Promise.all([page.waitForEvent('download'), click(item, 'menuitem')]);
        return readFileSync(await file.path(), 'utf8');
      };
      try {
        await click('Scenarios', 'link');
        await click('Deal Stayman');
        await page.getByTestId('status').filter({ hasText: 'Seed' }).waitFor();
        clicks += 1;
        await page.getByRole('textbox', { name: 'Deals', exact: true }).click();
        await page.keyboard.type('16');
        await click(/^Deal$/);
        await page.getByTestId('status').filter({ hasText: '16 deals' }).waitFor();
        await page.evaluate(() => (globalThis.print = () => (globalThis.wasPrinted = true)));
        await click('Print');
        assert.ok(await page.evaluate(() => globalThis.wasPrinted));
        await page.emulateMedia({ media: 'print' });
        const pdf = await page.pdf();
        assert.ok(pdf.length > 10_000);
        await page.emulateMedia({ media: 'screen' });
        assert.equal((await download(/^LIN/)).match(/md\|/g).length, 16);
        assert.equal((await download(/^PBN/)).match(/\[Deal /g).length, 16);
        const seconds = (performance.now() - since) / 1000;
        console.log(`16 Stayman boards: ${clicks} clicks, ${seconds.toFixed(1)} s`);
        assert.ok(clicks <= 10, `${clicks} clicks`);
        assert.ok(seconds < 120, `${seconds} seconds`);
        assert.deepEqual(wrong, []);
      } finally {
        await close();
      }
    });

    test('a PBN with an auction is opened and replayed, and one lead is studied', async () => {
      const since = performance.now();
      const { page, wrong, close } = await openPage(browser, servers[engine].url);
      const path = join(mkdtempSync(join(tmpdir(), 'croupier-tasks-')), 'schiphol.pbn');
      writeFileSync(path, SCHIPHOL);
      let clicks = 0;
      const click = async (name, role = 'button') => {
        clicks += 1;
        await page.getByRole(role, { name }).first().click();
      };
      try {
        await click('Files', 'link');
        clicks += 1;
        await page.getByLabel('Choose a file').setInputFiles(path);
        await page.getByTestId('contract').filter({ hasText: '5♥X by South, down 2' }).waitFor();
        await click('Open board 1');
        assert.match(await page.getByTestId('auction').textContent(), /Podgor.*Westra.*1♦.*4NT.*5♥/s);
        await click('Replay the play');
        for (let trick = 1; trick <= 2; trick++) {
          await click('Trick ›');
          await page
            .getByTestId('replayed')
            .filter({ hasText: `${4 * trick} of` })
            .waitFor();
        }
        await click('Study this lead');
        await page.getByRole('heading', { name: 'West leads' }).waitFor();
        assert.equal(await page.getByRole('textbox', { name: "West's hand" }).inputValue(), 'KQT2.AT.J6542.85');
        await page.getByLabel('Layouts').fill('20');
        await click(/^Study$/);
        await page
          .getByTestId('study-status')
          .filter({ hasText: /^\s*20 layouts solved/ })
          .waitFor({ timeout: 110_000 });
        assert.ok((await page.getByTestId('leads').locator('tbody tr').count()) > 5);
        console.log(
          `a PBN replayed and a lead studied: ${clicks} clicks, ${((performance.now() - since) / 1000).toFixed(1)} s`,
        );
        assert.deepEqual(wrong, []);
      } finally {
        await close();
      }
    });
  });
}
