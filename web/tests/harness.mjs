// Browsers and servers for the tests: Debian's Chromium, `croupier serve`, and a plain file server for the static page.

import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bin = process.env.CROUPIER_BIN ?? join(ROOT, 'target', 'release');
export const CROUPIER = join(bin, 'croupier');
export const DEALER = join(bin, 'dealer');

/** Returns the output of one of our programs. */
export function program(path, args, input = '') {
  return execFileSync(path, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Loads the WebAssembly engine in Node and returns a function that calls it. */
export async function openEngine() {
  const module = await WebAssembly.compile(readFileSync(join(ROOT, 'web/static/croupier.wasm')));
  let memory;
  const { exports } = await WebAssembly.instantiate(module, {
    croupier: {
      entropy: (at, bytes) => crypto.getRandomValues(new Uint8Array(memory.buffer, at, bytes)),
      complain: () => {},
      tell: () => {},
    },
  });
  memory = exports.memory;
  return (name, ask) => {
    const question = new TextEncoder().encode(`${name}\n${JSON.stringify(ask)}`);
    const room = exports.take(question.length);
    new Uint8Array(memory.buffer, room, question.length).set(question);
    const at = exports.call(room, question.length);
    const length = new DataView(memory.buffer).getUint32(at, true);
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at + 4, length));
    exports.release(at);
    if (text[0] !== '+') throw new Error(text);
    return JSON.parse(text.slice(1));
  };
}

/** Starts a plain file server for a folder. */
function staticServer(folder) {
  const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
  };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }),
    );
  });
}

/** Starts `croupier serve` on a free port. */
export function croupierServer(args = []) {
  const child = spawn(CROUPIER, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const found = text.match(/http:\/\/[\w.:]+\//);
      if (found) resolve({ url: found[0], pid: child.pid, close: () => child.kill() });
    });
    child.on('exit', (code) => reject(new Error(`croupier serve ended with ${code}: ${text}`)));
  });
}

/**
 * Serves a folder with a freshly built page and forwards questions to a running `croupier serve`, so that the page can be
 * tested without embedding it in the program.
 */
function pageInFrontOf(server, folder) {
  const { host } = new URL(server.url);
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const front = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    if (path.startsWith('/api/')) {
      const headers = { ...request.headers, host };
      delete headers.origin;
      const [hostname, port] = host.split(':');
      const onward = forward({ hostname, port, path, method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
      return;
    }
    const file = join(folder, path === '/' ? 'index.html' : normalize(path));
    if (!file.startsWith(folder) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    const text = readFileSync(file);
    response.end(
      file.endsWith('.html') ? String(text).replace('engine" content="browser"', 'engine" content="server"') : text,
    );
  });
  return new Promise((resolve) => {
    front.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${front.address().port}/`,
        pid: server.pid,
        close: () => (front.close(), server.close()),
      }),
    );
  });
}

/** Engines to test: both, unless ENGINES names one. */
export const ENGINES = process.env.ENGINES?.split(',') ?? ['server', 'browser'];

/** Starts `croupier serve` with its own page, or with the page in the folder that PAGE names. */
async function pageServer() {
  const server = await croupierServer();
  return process.env.PAGE ? pageInFrontOf(server, resolvePath(process.env.PAGE)) : server;
}

export async function openServers() {
  const none = { url: '', close: () => {} };
  const [server, browser] = await Promise.all([
    ENGINES.includes('server') ? pageServer() : none,
    staticServer(join(ROOT, 'web', 'static')),
  ]);
  return { server, browser };
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--crash-dumps-dir=${mkdtempSync(join(tmpdir(), 'croupier-web-'))}`,
    ],
  });
}

/** Opens a new page. An error in the page fails the test that opened it. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 900 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => {
    // The browser logs answers with an error status. Chromium also tries to keep the style of text that is replaced in an
    // editor, which the content security policy forbids.
    const expected = /status of (4|5)\d\d|Applying inline style/.test(message.text());
    if (message.type() === 'error' && !expected) wrong.push(message.text());
  });
  await page.goto(url);
  await page.getByTestId('engine').filter({ hasNotText: 'starting' }).waitFor({ state: 'attached' });
  return { page, wrong, close: () => context.close() };
}

/** Opens the editor with a click and writes a script into it. */
export async function writeScript(page, text) {
  const open = page.getByRole('button', { name: 'Edit the script' });
  if (await open.isVisible()) await open.click();
  const editor = page.getByRole('textbox', { name: 'Script in the dealer language' });
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** Presses "Deal" and waits until the run has ended. */
export async function deal(page, { seed, produce } = {}) {
  if (seed !== undefined) await page.getByLabel('Seed').fill(String(seed));
  if (produce !== undefined) await page.getByRole('textbox', { name: 'Deals', exact: true }).fill(String(produce));
  await page.getByRole('button', { name: 'Deal', exact: true }).click();
  await page.getByTestId('status').filter({ hasText: 'found in' }).filter({ hasText: 'Seed' }).waitFor();
}
