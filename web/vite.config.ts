import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Relative addresses, so that the page works under any path of any file server. Names without hashes, so that the
// build that is checked in changes only where the sources do.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/[name].js' } } },
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
