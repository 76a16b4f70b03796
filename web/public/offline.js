// Service worker of the static page: keeps the page and its engine, so that it opens without a network. The newest files
// are used whenever the network has them.

const CACHE = 'croupier';
const FILES = [
  './',
  './assets/index.js',
  './assets/style.css',
  './assets/worker.js',
  './croupier.wasm',
  './croupier-bidding.wasm',
  './croupier-card-play.wasm',
  './croupier-poker.wasm',
  './croupier-poker-solver.wasm',
  './icon.svg',
  './icon-192.png',
  './icon-512.png',
  './manifest.webmanifest',
];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

/** Answers from the network and keeps the answer; without a network, from the kept files. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const isOwn = new URL(request.url).origin === location.origin;
  if (request.method === 'GET' && isOwn) event.respondWith(answer(request));
});
