// Load test of the server on this computer: many scripts at once, then many hostile requests.
//
//   node web/tests/load.mjs [scripts=200] [hostile=10000]
//
// Prints figures; fails if the server crashes, its memory grows without bound, or normal requests are not answered.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';

import { croupierServer } from './harness.mjs';

const [scripts = 200, hostile = 10_000] = process.argv.slice(2).map(Number);
const server = await croupierServer(['--time', '10']);
const { hostname, port } = new URL(server.url);
const memory = () => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return {
    now: Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024,
    most: Number(status.match(/VmHWM:\s+(\d+)/)[1]) / 1024,
  };
};

/** Sends a request and returns its status, or the error that ended it. */
function ask(path, body, headers = {}, method = 'POST') {
  return new Promise((resolve) => {
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
        timeout: 60_000,
      },
      (answer) => {
        let text = '';
        answer.on('data', (data) => (text += data));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
        answer.on('error', () => resolve({ status: 0, text }));
      },
    );
    // The server may close the connection of a bad request, before or after its answer.
    sent.on('socket', (socket) => socket.on('error', () => resolve({ status: 0, text: '' })));
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.on('timeout', () => sent.destroy());
    sent.end(body);
  });
}

/** Sends bytes that are not HTTP, or incomplete HTTP, and then nothing. */
function raw(bytes, wait) {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => socket.write(bytes));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: 0, text: '' }));
    socket.on('data', () => socket.destroy());
    setTimeout(() => socket.destroy(), wait);
  });
}

async function pooled(count, width, work) {
  let next = 0;
  const results = [];
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const mine = next++;
        results[mine] = await work(mine);
      }
    }),
  );
  return results;
}

// Normal requests, all at once.
const started = performance.now();
const answers = await pooled(scripts, scripts, (i) =>
  ask(
    '/api/run',
    JSON.stringify({
      script: `generate 200000 condition hcp(north) == ${10 + (i % 10)} action average hcp(south), frequency (hearts(north), 0, 13)`,
      seed: String(i),
    }),
  ),
);
const done = answers.filter((it) => it.status === 200 && it.text.includes('"type":"end"')).length;
console.log(
  `${done} of ${scripts} scripts at once were answered in ${((performance.now() - started) / 1000).toFixed(1)} s, memory at most ${memory().most.toFixed(0)} MB`,
);
assert.equal(done, scripts);

// Hostile requests, and normal ones all the time.
const large = 'x'.repeat(10 << 20);
const own = `${hostname}:${port}`;
const head = `POST /api/check HTTP/1.1\r\nhost: ${own}\r\ncontent-type: application/json\r\n`;
const attacks = [
  () => ask('/api/check', '{"script":'),
  () => ask('/api/check', JSON.stringify({ script: '('.repeat(100_000) })),
  () => ask('/api/check', JSON.stringify({ script: `${'a='.repeat(20_000)}1` })),
  () => ask('/api/run', JSON.stringify({ script: 'import "/etc/passwd"' })),
  () => ask('/api/run', JSON.stringify({ script: 'action frequency (hcp(north), -2000000000, 2000000000)' })),
  () => ask('/api/run', JSON.stringify({ script: 'produce 2000000000' })),
  () => ask('/api/shapes', JSON.stringify({ pattern: '(((('.repeat(5000) })),
  () => ask('/api/equity', JSON.stringify({ ranges: ['AA'], board: 'zz', dead: '' })),
  () => ask('/api/play', JSON.stringify({ deal: 'N:', declarer: 'Q', strain: '9', played: ['xx'] })),
  () => ask('/api/read', JSON.stringify({ text: '[Deal "N:A.B.C.D"]'.repeat(1000) })),
  () => ask('/api/write', JSON.stringify({ format: 'exe', boards: [] })),
  () => ask('/api/nothing', '{}'),
  () => ask('/../../etc/passwd', undefined, {}, 'GET'),
  () => ask('/api/check', '{"script":""}', { host: 'evil.example' }),
  () => ask('/api/check', '{"script":""}', { origin: 'http://evil.example' }),
  () => ask('/api/check', '{"script":""}', { 'content-type': 'text/plain' }),
  () => raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 200),
  () => raw(`${head}content-length: 100\r\n\r\n{`, 300),
  () => raw('GET / HTTP/1.1\r\nhost', 300),
  () => raw(`${head}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n`, 200),
];
let checks = 0;
let slowest = 0;
let over = false;
const honest = (async () => {
  while (!over) {
    const since = performance.now();
    const answer = await ask('/api/check', JSON.stringify({ script: 'condition hcp(north) > 15' }));
    assert.equal(answer.status, 200);
    slowest = Math.max(slowest, performance.now() - since);
    checks += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})();
const before = performance.now();
const ended = await pooled(hostile, 40, async (i) => {
  // Large, endless and abandoned requests take long, so they are rare.
  if (i % 100 === 50) return ask('/api/check', large);
  if (i % 500 === 99)
    return raw(
      `POST /api/run HTTP/1.1\r\nhost: ${own}\r\ncontent-type: application/json\r\ncontent-length: 45\r\n\r\n{"script":"generate 2000000000 action print"} `,
      300,
    );
  return attacks[i % attacks.length]();
});
over = true;
await honest;
const wrong = ended.filter((it) => it.status === 500).length;
const alive = await ask('/api/run', JSON.stringify({ script: 'produce 1', seed: '1' }));
console.log(
  `${hostile} hostile requests in ${((performance.now() - before) / 1000).toFixed(1)} s, ${wrong} answers 500; meanwhile ${checks} honest ones, the slowest ${slowest.toFixed(0)} ms; memory at most ${memory().most.toFixed(0)} MB`,
);
assert.equal(wrong, 0);
assert.ok(alive.text.includes('"type":"end"'));
assert.ok(memory().most < 2048, 'memory is bounded');
server.close();
console.log('2 passed, 0 failed');
