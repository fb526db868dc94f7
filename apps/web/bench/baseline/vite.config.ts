import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVICE = process.env.L4DESK_URL ?? '';
const toService = { target: SERVICE, headers: { origin: SERVICE }, changeOrigin: true };

/** Builds and serves the page that the ladder is compared with, in front of the same service. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    outDir: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'baseline'),
    emptyOutDir: true,
  },
  worker: { format: 'es' },
  preview: {
    strictPort: true,
    proxy: { '/session': toService, '/info': toService, '/ws': { ...toService, ws: true } },
  },
});
