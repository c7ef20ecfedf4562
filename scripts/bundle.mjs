// Joins the modules in build/ into a few in dist/, which is published and which `npm start` runs, because importing a file takes
// longer than running it. Lazily imported modules stay separate (rollup's chunks), and dependencies stay packages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

/** Files of dist/ by the modules that they begin with. */
const entries = { index: 'index', testing: 'testing/index', 'cli/main': 'cli/main' }
const isPackage = id => !/^[./]|^[A-Z]:\\/.test(id)

/** The compiler's own source maps, so that positions lead to src/. */
const sourceMaps = {
  name: 'source-maps',
  load: id => (id.includes('node_modules') ? null : { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') })
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
      if (path === '../../package.json' || path === '../bundle') return all
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

/**
 * In the CommonJS bundle, all modules lie in one folder of dist/: the files beside them are those that came with the ES modules, and packages
 * of ES modules that a start needs are part of it.
 */
const besideEsModules = build => ({
  name: 'beside-es-modules',
  resolveId: id => (Object.hasOwn(inlined, id) ? join(build, '../node_modules', inlined[id]) : null),
  transform(code, id) {
    const moved = code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (all, path) => {
      const name = relative(build, join(dirname(id), path))
        .split(sep)
        .join('/')
      return name.startsWith('..') ? all : `new URL('../${name}', import.meta.url)`
    })
    return moved === code ? null : { code: moved, map: null }
  },
  resolveImportMeta: property => (property === 'url' ? "require('node:url').pathToFileURL(__filename).href" : null)
})

/** Packages whose compiled code is kept with that of the server, and the modules that they begin with. */
const inlined = { antlr4ng: 'antlr4ng/dist/index.mjs', jose: 'jose/dist/webapi/index.js', re2js: 're2js/build/index.js' }

/** The command line once more, for main.ts to load with its compiled code. */
async function bundleForCodeCache({ build, dist }) {
  const code = await rollup({
    input: { run: join(build, 'cli/run.js') },
    external: id => isPackage(id) && !Object.hasOwn(inlined, id),
    plugins: [sourceMaps, besideEsModules(build)],
    onLog
  })
  const { output } = await code.write({
    dir: join(dist, 'bundle'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    sourcemap: true,
    sourcemapExcludeSources: true
  })
  const licenses = join(dist, 'bundle/LICENSES.txt')
  writeFileSync(
    licenses,
    Object.keys(inlined)
      .map(name => `${name}\n\n${licenseOf(join(build, '../node_modules', name))}\n`)
      .join('\n')
  )
  return [...output.map(({ fileName }) => join(dist, 'bundle', fileName)), licenses]
}

/** The text of a package's license, which its copies have to carry. */
function licenseOf(folder) {
  const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name))
  return readFileSync(join(folder, file), 'utf8')
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
  const forCodeCache = await bundleForCodeCache({ build, dist })
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
  return [...output.map(({ fileName }) => join(dist, fileName)), ...forCodeCache, ...typesFiles]
}
