// Practice of bidding, over both engines.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Starts a session and waits for the first turn of the reader, or for the end of the first auction. */
async function start(page, { way, seat, seed = '7', deals } = {}) {
  await page.getByRole('heading', { name: 'Practise bidding' }).waitFor();
  const form = page.getByRole('form', { name: 'New session' });
  if (deals) await form.getByLabel('Deals').selectOption({ label: deals });
  if (way) await form.getByLabel(way).check();
  if (seat) await form.getByLabel('My hand', { exact: true }).selectOption(seat);
  await form.getByLabel('Seed').fill(seed);
  await form.getByRole('button', { name: 'Start the session' }).click();
  await ready(page);
}

/** Waits until the reader can call or the board has a result. */
const ready = (page) =>
  page
    .getByTestId('bid-status')
    .filter({ hasText: 'to call' })
    .or(page.getByTestId('bid-status').filter({ hasText: 'enter' }))
    .or(page.getByTestId('robots-auction'))
    .first()
    .waitFor();

const number = (text) => Number(text.replace('−', '-'));
const isOver = (page) => page.getByTestId('robots-auction').isVisible();
const callsOf = async (auction) => {
  const texts = await auction.getByTestId('auction').locator('tbody button').allTextContents();
  return texts.map((it) => it.trim());
};
async function pass(page) {
  const auction = page.getByRole('region', { name: 'Auction', exact: true });
  const before = await auction.getByTestId('auction').locator('tbody button').count();
  await page.getByRole('group', { name: 'Bidding box' }).getByRole('button', { name: 'Pass' }).click();
  await page.waitForFunction(
    (count) =>
      document.querySelector('[data-testid=robots-auction]') ||
      document.querySelectorAll('section[aria-label="Auction"] tbody button').length > count,
    before,
  );
  await ready(page);
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

    onPage('a session of eight boards ends with a score sheet that stays', '#/bid', async (page) => {
      await start(page);
      await page.getByRole('heading', { name: 'Board 1 of 8: any deals' }).waitFor();
      for (let board = 1; board <= 8; board++) {
        while (!(await isOver(page))) await pass(page);
        await page.getByTestId('makeable').waitFor();
        assert.match(await page.getByTestId('imps').textContent(), /^[+−]?\d+$/);
        assert.equal(await page.getByRole('dialog').count(), 0);
        if (board < 8) await page.getByRole('button', { name: 'Next board' }).click();
        if (board < 8) await page.getByRole('heading', { name: `Board ${board + 1} of 8` }).waitFor();
        if (board < 8) await ready(page);
        // A reload keeps the session.
        if (board === 2) {
          const sheet = await page.getByTestId('sheet').textContent();
          await page.reload();
          await ready(page);
          assert.equal(await page.getByTestId('sheet').textContent(), sheet);
        }
      }
      const total = await page.getByTestId('sheet').locator('tfoot td').first().textContent();
      const imps = await page.getByTestId('sheet').locator('tbody tr td:nth-child(7)').allTextContents();
      assert.equal(imps.length, 8);
      assert.equal(
        number(total),
        imps.reduce((sum, it) => sum + number(it), 0),
      );
      await page.getByRole('button', { name: 'New session' }).click();
      const row = page.getByTestId('sheets').locator('tbody tr').first();
      assert.match(await row.textContent(), new RegExp(`any deals8${total.replace('+', '\\+')}`));
    });

    onPage('the robots’ auction is that of the program', '#/bid', async (page) => {
      await start(page, { seed: '11' });
      const passes = [];
      while (!(await isOver(page))) {
        passes.push('P');
        await pass(page);
      }
      const robots = await callsOf(page.getByTestId('robots-auction'));
      await page.getByRole('button', { name: 'Open the board' }).click();
      const address = await page.getByRole('link', { name: "Open in BBO's handviewer" }).getAttribute('href');
      const query = new URL(address).searchParams;
      const hand = (seat) => query.get(seat).toUpperCase().replace('S', '').replace(/[HDC]/g, '.');
      const deal = `N:${['n', 'e', 's', 'w'].map(hand).join(' ')}`;
      const path = join(mkdtempSync(join(tmpdir(), 'croupier-bid-')), 'one.pbn');
      writeFileSync(path, `[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "${deal}"]\n`);
      const pbn = program(CROUPIER, ['bid', path, '--no-solve', '--no-notes', '--format', 'pbn']);
      const calls = pbn
        .match(/\[Auction "N"\]\s([^[*]*)/)[1]
        .trim()
        .split(/\s+/)
        .map((it) => (it === 'AP' ? 'Pass' : it));
      const signs = { C: '♣', D: '♦', H: '♥', S: '♠', N: 'NT' };
      const shown = calls.map((it) => it.replace(/^(\d)([CDHSN])T?$/, (_, level, strain) => level + signs[strain]));
      assert.deepEqual(robots, shown);
    });

    onPage('a call is asked for its meaning before and after it is made, and taken back', '#/bid', async (page) => {
      await start(page, { deals: 'Stayman', seed: '3' });
      await page.getByLabel('Ask the meaning first').check();
      const box = page.getByRole('group', { name: 'Bidding box' });
      const calls = page.getByRole('region', { name: 'Auction', exact: true }).locator('tbody button');
      const before = await calls.count();
      // After a strong notrump two clubs asks for a major.
      await box.getByRole('button', { name: '2 clubs' }).click();
      await page
        .getByTestId('meaning')
        .filter({ hasText: /South’s 2♣.*Stayman/is })
        .waitFor();
      assert.equal(await calls.count(), before);
      await page.getByRole('button', { name: 'Bid 2♣' }).click();
      await page.waitForFunction(
        (count) => document.querySelectorAll('section[aria-label="Auction"] tbody button').length > count,
        before,
      );
      await calls.first().click();
      await page.getByTestId('meaning').filter({ hasText: 'North’s 1NT' }).waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.waitForFunction(
        (count) => document.querySelectorAll('section[aria-label="Auction"] tbody button').length === count,
        before,
      );
    });

    onPage('both hands of a side are bid by turns, and keys make calls', '#/bid', async (page) => {
      await start(page, { way: 'I bid both hands', deals: 'Stayman', seed: '3' });
      await page.getByRole('heading', { name: /^North \d+ points/ }).waitFor();
      await page.keyboard.press('1');
      await page.keyboard.press('n');
      await page.getByRole('heading', { name: /^South \d+ points/ }).waitFor();
      const calls = await callsOf(page.getByRole('region', { name: 'Auction', exact: true }));
      assert.equal(calls[0], '1NT');
      // A call that is not sufficient cannot be made.
      assert.ok(await page.getByRole('button', { name: '1 spades' }).isDisabled());
    });

    onPage('two people bid the same board by a link', '#/bid', async (page) => {
      await start(page, { way: 'My partner bids', deals: 'Stayman', seed: '3' });
      await page.getByTestId('bid-status').filter({ hasText: 'enter North’s call' }).waitFor();
      await page.getByRole('button', { name: '1NT', exact: true }).click();
      await page.getByTestId('bid-status').filter({ hasText: 'South to call' }).waitFor();
      const own = await page.getByRole('group', { name: /^South: spades/ }).getAttribute('aria-label');
      await page.getByRole('button', { name: 'Link for my partner' }).click();
      const other = await openPage(browser, await page.getByTestId('bid-link').inputValue());
      try {
        await other.page.getByTestId('bid-status').filter({ hasText: 'enter South’s call' }).waitFor();
        const theirs = await other.page.getByRole('group', { name: /^North: spades/ }).getAttribute('aria-label');
        assert.notEqual(theirs.slice(5), own.slice(5));
        const auction = (it) => callsOf(it.getByRole('region', { name: 'Auction', exact: true }));
        assert.deepEqual(await auction(other.page), await auction(page));
      } finally {
        await other.close();
      }
    });
  });
}
