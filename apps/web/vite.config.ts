import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `vite dev` finds the service: the address `npm start` prints. */
const SERVICE = process.env.L4DESK_URL ?? 'http://127.0.0.1:4400';

const toService = { target: SERVICE, headers: { origin: SERVICE }, changeOrigin: true };

/** What the shell and most pages use is one script: as many small ones, they would be 5 KB larger. */
const SHARED = {
  name: 'shared',
  test: /\/src\/(state\/(account|preferences|settings|ticker|workspaces)|ui\/(format|group-by|toast)|wallets\/wallet-(book|choice)|hooks\/required-context|calendar|error-codes|errors|tariff)\.tsx?$/,
};

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    sourcemap: true,
    // The content security policy allows no `data:` fonts or scripts: every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The bar is 180 KB gzipped before the first page's own chunk; `npm test` checks it.
    chunkSizeWarningLimit: 600,
    // On a slow machine rolldown would print how long its plugins took, which means nothing to somebody who starts the service.
    rolldownOptions: { checks: { bundlerTimings: false }, output: { codeSplitting: { groups: [SHARED] } } },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/session': toService,
      '/info': toService,
      '/platform': toService,
      '/ws': { ...toService, ws: true },
    },
  },
});
