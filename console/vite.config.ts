import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Writes the licenses of the packages that the page is made of, which copies of them have to carry. */
const licenses: Plugin = {
  name: 'licenses',
  generateBundle(_, output) {
    const packages = new Set<string>()
    for (const file of Object.values(output)) {
      if (file.type !== 'chunk') continue
      for (const id of file.moduleIds) {
        const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
        if (folder) packages.add(folder)
      }
    }
    const texts = [...packages].sort().map(folder => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find(file => /^licen[cs]e/i.test(file))
      if (!file) return this.error(`${name} has no license`)
      return `${name}@${version}\n\n${readFileSync(join(folder, file), 'utf8')}\n`
    })
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join('\n') })
  }
}

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

/** Lets the browser ask for what the script will ask for first, and for the view of the front page, while it loads the script. */
const early: Plugin = {
  name: 'early',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const overview = Object.values(bundle ?? {}).find(file => file.type === 'chunk' && file.name === 'overview')
      if (!overview) throw new Error('there is no chunk "overview"')
      const link = (attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { crossorigin: '', ...attrs },
        injectTo: 'head' as const
      })
      return [
        link({ rel: 'preload', as: 'fetch', href: '/console/config.json' }),
        link({ rel: 'modulepreload', href: `/console/${overview.fileName}` })
      ]
    }
  }
}

const ofEveryPage =
  /console[\\/]src[\\/](api|live|shell|ui[\\/](age|check|code|load|may|problem|table-head|tree|virtual-table)|views[\\/]view|[a-z]+\.tsx?$)|node_modules[\\/]@?preact|vite[\\/]preload/

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [licenses, early, compressed],
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
