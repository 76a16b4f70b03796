// The packed package in an empty folder: in Node, in TypeScript, and in Chromium behind a bundler.
//
//   node --test npm/tests/package.test.mjs     after npm/build

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const WEB = createRequire(join(ROOT, 'web', 'package.json'));
const folder = mkdtempSync(join(tmpdir(), 'croupier-npm-'));

/** Runs a command in the empty folder and returns what it prints. */
function run(command, ...words) {
  return execFileSync(command, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

before(() => {
  run('npm', 'pack', '--silent', '--pack-destination', folder, join(ROOT, 'target', 'npm'));
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--offline', join(folder, packed));
});
after(() => rmSync(folder, { recursive: true }));

test('the example of the readme runs in Node', () => {
  const readme = readFileSync(join(ROOT, 'npm', 'README.md'), 'utf8');
  const example = readme.match(/```js\n([\s\S]*?)```/)[1];
  assert.ok(example.trim().split('\n').length <= 10);
  writeFileSync(join(folder, 'example.js'), example);
  const printed = run('node', 'example.js').trim().split('\n');
  assert.equal(printed.filter((line) => line.startsWith('N:')).length, 3, printed.join('\n'));
});

test('a wrong script is an error with its place', () => {
  writeFileSync(
    join(folder, 'wrong.js'),
    `import { openEngine, EngineError } from '@croupier/engine';
     const engine = await openEngine();
     try { await engine.run({ script: 'condition hcp(nrth) > 3' }); } catch (error) {
       if (!(error instanceof EngineError)) throw error;
       console.log(error.kind, error.diagnostics.length > 0, error.message);
     }
     console.log((await engine.run({ script: 'condition hcp(north) > 20', produce: 2, seed: '1' })).produced);`,
  );
  const [wrong, produced] = run('node', 'wrong.js').trim().split('\n').filter((line) => /^(script true|\d)/.test(line));
  assert.match(wrong, /^script true/);
  assert.equal(produced, '2');
});

test('requests and answers have types', () => {
  const tsc = join(ROOT, 'web', 'node_modules', '.bin', 'tsc');
  const check = (text) => {
    writeFileSync(join(folder, 'typed.ts'), text);
    return run(tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', 'false', 'typed.ts');
  };
  const start = "import { openEngine } from '@croupier/engine';\nconst engine = await openEngine();\n";
  check(`${start}const answer = await engine.request('probability', { script: 'hcp(north) > 20' });\nconsole.log(answer);`);
  assert.throws(() => check(`${start}await engine.request('probability', { scrpt: 1 });`));
});

test('a bundled page runs it in Chromium', async () => {
  const { build } = await import(pathToFileURL(WEB.resolve('vite')));
  const { chromium } = WEB('playwright-core');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>wait</title><script type="module" src="./page.js"></script>');
  writeFileSync(
    join(folder, 'page.js'),
    `import { openEngine } from '@croupier/engine';
     const engine = await openEngine();
     const run = await engine.run({ script: 'condition hcp(north) >= 20', produce: 3, seed: '1' });
     const poker = await engine.request('equity', { ranges: ['AA', 'KK'] });
     document.title = JSON.stringify({ deals: run.deals.map((it) => it.deal), players: poker.players?.length ?? 0 });`,
  );
  await build({ root: folder, logLevel: 'error', configFile: false, build: { target: 'es2022', assetsInlineLimit: 0 } });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  const server = await serve(join(folder, 'dist'));
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => document.title !== 'wait', null, { timeout: 60_000 });
    const { deals } = JSON.parse(await page.title());
    writeFileSync(
      join(folder, 'same.js'),
      `import { openEngine } from '@croupier/engine';
       const engine = await openEngine();
       const run = await engine.run({ script: 'condition hcp(north) >= 20', produce: 3, seed: '1' });
       console.log(JSON.stringify(run.deals.map((it) => it.deal)));`,
    );
    assert.deepEqual(deals, JSON.parse(run('node', 'same.js')));
  } finally {
    await browser.close();
    server.close();
  }
});

/** Serves the files of a folder. */
async function serve(root) {
  const { createServer } = await import('node:http');
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    try {
      const content = readFileSync(join(root, path === '/' ? 'index.html' : path));
      response.writeHead(200, { 'content-type': types[path.split('.').pop()] ?? 'text/html' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
