// How users of bundlers bundle a program for Node.js that has a server in its process: as usual, with the one line that leaves binnacle a package.
// docs/library.md has that line.
import { basename } from 'node:path'
import { promisify } from 'node:util'

/** By the name of the package. Each takes its module, the program, and the folder for what it makes of it. */
export const bundlers = {
  async esbuild({ build }, entry, outdir) {
    await build({
      entryPoints: [entry],
      outdir,
      bundle: true,
      platform: 'node',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
      external: ['binnacle']
    })
  },

  async rollup({ rollup }, entry, dir) {
    const bundle = await rollup({ input: entry, external: ['binnacle', /^node:/] })
    await bundle.write({ dir, entryFileNames: basename(entry) })
    await bundle.close()
  },

  async vite({ build }, entry, outDir) {
    await build({
      configFile: false,
      logLevel: 'silent',
      // packages are external with this option alone, unless ssr.noExternal says otherwise
      ssr: { noExternal: true, external: ['binnacle'] },
      build: { ssr: entry, outDir, emptyOutDir: false, rolldownOptions: { output: { entryFileNames: basename(entry) } } }
    })
  },

  async webpack({ default: webpack }, entry, path) {
    const compiler = webpack({
      entry,
      mode: 'production',
      target: 'node20',
      experiments: { outputModule: true },
      externals: { binnacle: 'module binnacle' },
      output: { path, filename: basename(entry), module: true, library: { type: 'module' } }
    })
    const stats = await promisify(compiler.run.bind(compiler))()
    await promisify(compiler.close.bind(compiler))()
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
  }
}
