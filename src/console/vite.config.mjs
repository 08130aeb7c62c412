import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** Of a service that was started beside it: `npm start`. */
const SERVICE = 'http://localhost:3000';
/** Smaller files would gain nothing. */
const WORTH_PACKING = 1_000;

/** The server sends packed files as they lie there, and packs nothing itself. */
const packAssets = () => ({
  name: 'pack-assets',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      const content = file.type === 'chunk' ? file.code : file.source;
      if (!/\.(js|css)$/.test(name) || content.length < WORTH_PACKING) continue;
      this.emitFile({
        type: 'asset',
        fileName: `${name}.gz`,
        source: gzipSync(content, { level: 9 }),
      });
    }
  },
});

export default defineConfig({
  root: import.meta.dirname,
  // Where the service is reached is known in the browser alone.
  base: './',
  plugins: [packAssets()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL would be a second way in for content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // `use client` speaks to servers that render; there is none.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
  server: {
    // The name in `Host` is part of what the service judges cookies by: it stays that of the page.
    proxy: { '^/(auth|users|roles|permissions)': { target: SERVICE, changeOrigin: false } },
  },
});
