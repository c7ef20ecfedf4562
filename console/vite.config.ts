import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Writes a `.br` and a `.gz` beside each file that is worth it: the server sends them as they are. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir }) {
    for (const entry of readdirSync(dir!, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      const bytes = readFileSync(file)
      if (bytes.length < 512) continue
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  }
}

const ofEveryPage =
  /console[\\/]src[\\/](api|live|shell|ui[\\/](age|code|load|problem|tree|virtual-table)|views[\\/](view|access[\\/]question)|[a-z]+\.tsx?$)|node_modules[\\/]@?preact|vite[\\/]preload/

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [compressed],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // fonts and images in CSS would need `data:` in the Content-Security-Policy
    assetsInlineLimit: 0,
    // its helper is an inline script
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // what every page needs comes in one file; a file each costs a browser more than what is in it
      output: { codeSplitting: { groups: [{ name: 'core', test: ofEveryPage }] } }
    }
  }
})
