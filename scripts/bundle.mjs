// Joins the modules in build/ into a few in dist/, which is published and which `npm start` runs, because importing a file takes
// longer than running it. Lazily imported modules stay separate (rollup's chunks), and dependencies stay packages.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

/** Files of dist/ by the modules that they begin with. */
const entries = { index: 'index', testing: 'testing/index', 'cli/main': 'cli/main' }
const isPackage = id => !/^[./]|^[A-Z]:\\/.test(id)

/** The compiler's own source maps, so that positions lead to src/. */
const sourceMaps = {
  name: 'source-maps',
  load: id => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') })
}

/**
 * `new URL('./generated/types.json', import.meta.url)` names a file beside a module that is not there any more. Data and the
 * modules of worker threads come along, and the address becomes theirs.
 */
const filesBesideModules = build => ({
  name: 'files-beside-modules',
  transform(code, id) {
    const moved = code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (all, path) => {
      const file = join(dirname(id), path)
      const name = relative(build, file).split(sep).join('/')
      // Chunks lie as deep as the modules that ask for it.
      if (path === '../../package.json') return all
      if (name.startsWith('..')) this.error(`${id}: ${path} lies outside of the build`)
      const reference = file.endsWith('.js')
        ? this.emitFile({ type: 'chunk', id: file, fileName: name })
        : this.emitFile({ type: 'asset', source: readFileSync(file), fileName: name })
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
    })
    // Names get longer within their lines only: the map still leads to the right ones.
    return moved === code ? null : { code: moved, map: null }
  }
})

const harmless = new Set(['CIRCULAR_DEPENDENCY', 'UNUSED_EXTERNAL_IMPORT'])
/** Other warnings are mistakes: an import that leads nowhere, a name that two modules export. */
const onLog = (level, log) => {
  if (level === 'warn' && !harmless.has(log.code)) throw new Error(log.message)
}

/** Resolves with the files that it wrote. */
export async function bundle({ build, dist }) {
  const code = await rollup({
    input: Object.fromEntries(Object.entries(entries).map(([name, module]) => [name, join(build, `${module}.js`)])),
    external: isPackage,
    plugins: [sourceMaps, filesBesideModules(build)],
    onLog
  })
  const { output } = await code.write({
    dir: dist,
    chunkFileNames: 'chunks/[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // a package that only a chunk needs is not loaded by those who import the chunk's importer
    hoistTransitiveImports: false
  })
  const typesFiles = []
  for (const name of ['index', 'testing']) {
    // the types of the whole package stand in index.d.ts alone
    const isIndex = id =>
      name !== 'index' && /(^|[\\/])index\.(js|d\.ts)$/.test(id) && id !== join(build, `${entries[name]}.d.ts`)
    const external = id => isPackage(id) || isIndex(id)
    const types = await rollup({ input: join(build, `${entries[name]}.d.ts`), external, plugins: [dts()], onLog })
    const file = join(dist, `${name}.d.ts`)
    // Not every project includes Node's types by itself.
    const paths = id => (isIndex(id) ? './index.js' : id)
    await types.write({ file, paths, banner: '/// <reference types="node" />' })
    typesFiles.push(file)
  }
  return [...output.map(({ fileName }) => join(dist, fileName)), ...typesFiles]
}
