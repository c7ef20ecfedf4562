// Joins the modules in build/ into a few in dist/, which is published and which `npm start` runs, because importing a file takes
// longer than running it. They are CommonJS modules, which load in less time than ES modules; small ES modules load them. Lazily
// imported modules stay separate (rollup's chunks). Dependencies stay packages, or become a file each (joined-packages.mjs).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { joinedFile, joinPackages } from './joined-packages.mjs'
import { thinned } from './thin-map.mjs'

/** The modules in dist/bundle/, by the modules with which they begin. */
const bundled = {
  run: 'cli/run',
  index: 'index',
  client: 'client/index',
  operator: 'client/operator/index',
  testing: 'testkit/index'
}
/** The ES modules in dist/: those that load the bundle, and that of a worker thread. */
const entries = {
  'cli/main': 'cli/main',
  'apimachinery/formats/yaml-worker': 'apimachinery/formats/yaml-worker'
}
/** What the package exports. */
const published = ['index', 'client', 'operator', 'testing']
/** Entries whose exports are among those of `index`. */
const parts = new Set(['client', 'operator'])
const isPackage = id => !/^[./]|^[A-Z]:\\/.test(id)

const harmless = new Set(['CIRCULAR_DEPENDENCY', 'UNUSED_EXTERNAL_IMPORT'])
/** Fails for all other warnings, which are mistakes: an import that leads nowhere, a name that two modules export. */
const onLog = (level, log) => {
  if (level === 'warn' && !harmless.has(log.code)) throw new Error(log.message)
}

/**
 * Source maps lead to src/, whose text they carry: the package has no src/. Paths in them are relative to the maps, so they name nothing of the
 * machine that built them. Code of packages is in no map.
 */
const fromSources = {
  name: 'from-sources',
  load(id) {
    if (!existsSync(`${id}.map`)) return null
    const map = JSON.parse(readFileSync(`${id}.map`, 'utf8'))
    map.sourcesContent = map.sources.map(source => readFileSync(join(dirname(id), map.sourceRoot ?? '', source), 'utf8'))
    return { code: readFileSync(id, 'utf8'), map }
  },
  generateBundle(_, output) {
    for (const [name, file] of Object.entries(output)) {
      if (!name.endsWith('.map')) continue
      const map = JSON.parse(file.source)
      const own = [...map.sources.keys()].filter(index => !/[\\/]node_modules[\\/]/.test(map.sources[index]))
      file.source = JSON.stringify({
        ...map,
        sources: own.map(index => map.sources[index]),
        sourcesContent: own.map(index => map.sourcesContent[index]),
        names: [],
        mappings: thinned(map.mappings, new Map(own.map((index, number) => [index, number])))
      })
    }
  }
}

/** Other bundlers read these modules alone. The server also reads data beside its code, starts worker threads and loads a native store. */
const serverEntries = new Set(['index', 'testing'])
const whyNotBundled =
  'binnacle cannot be bundled, because its server reads files beside its code and loads a native module: leave it a package (esbuild: --external:binnacle --external:binnacle/testing). binnacle/client and binnacle/operator can be bundled'
/** Bundlers look for the module of a require that never runs, and end with its name; Node.js does not look for it. */
const refusal = ({ name, isEntry }) => (isEntry && serverEntries.has(name) ? `void (() => require('${whyNotBundled}'))` : '')

/**
 * All modules of the bundle lie in one folder of dist/. The data that `new URL('./generated/types.json', import.meta.url)` names comes
 * along, and lies below dist/ as it did below build/. Packages of ES modules that a start needs are part of the bundle.
 */
const besideModules = build => ({
  name: 'beside-modules',
  resolveId: id => (Object.hasOwn(inlined, id) ? join(build, '../node_modules', inlined[id]) : null),
  transform(code, id) {
    const moved = code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (all, path) => {
      const file = join(dirname(id), path)
      const name = relative(build, file).split(sep).join('/')
      if (name.startsWith('..')) return all
      if (!name.endsWith('.js')) this.emitFile({ type: 'asset', source: readFileSync(file), fileName: name })
      else if (!Object.hasOwn(entries, name.slice(0, -'.js'.length))) this.error(`${id}: ${path} is no module in dist/`)
      return `new URL('../${name}', import.meta.url)`
    })
    return moved === code ? null : { code: moved, map: null }
  },
  resolveImportMeta: property => (property === 'url' ? "require('node:url').pathToFileURL(__filename).href" : null)
})

/**
 * Packages that are bundled with the server, because they have many files, and the modules that they begin with. They are devDependencies: a copy
 * beside the bundle would be the one that scanners see and updates reach, and not the one that runs.
 */
const inlined = { antlr4ng: 'antlr4ng/dist/index.mjs', jose: 'jose/dist/webapi/index.js', re2js: 're2js/build/index.js' }

/**
 * Leaves out the tables of antlr4ng's query language for trees: nobody uses them, and making them takes longer than loading the
 * rest.
 */
const withoutXPathTables = {
  name: 'without-xpath-tables',
  transform(code, id) {
    if (!id.endsWith(inlined.antlr4ng)) return null
    const tables =
      /static decisionsToDFA = (_XPathLexer\._ATN\.decisionToState\.map\(\(ds, index\) => \{\s*return new DFA\(ds, index\);\s*\}\));/
    if (!tables.test(code)) this.error('antlr4ng makes its tables in another way')
    return { code: code.replace(tables, 'static get decisionsToDFA() { return $1; }'), map: null }
  }
}

/** Takes comments and indentation from the code of packages, half of its size. */
const smallPackages = {
  name: 'small-packages',
  async transform(code, id) {
    if (!/[\\/]node_modules[\\/]/.test(id)) return null
    const small = await transform(code, { minifyWhitespace: true, lineLimit: 160, legalComments: 'none', charset: 'ascii' })
    return { code: small.code, map: null }
  }
}

/** Packages that load on their first use are named in a require that other bundlers see. Modules of the bundle may use it; those of src/ may not. */
const lazyInSight = {
  name: 'lazy-in-sight',
  transform(code, id) {
    if (id.endsWith(join('util', 'lazy-package.js')))
      return { code: 'export function lazyPackage(_, load) { let loaded; return () => (loaded ??= load()) }', map: null }
    const seen = code.replace(lazyCalls, (_, name) => `lazyPackage('${name}', () => require('${placeOf(name, 'bundle')}'))`)
    return seen === code ? null : { code: seen, map: null }
  }
}
const lazyCalls = /\blazyPackage\('([^']+)'\)/g

/** Returns what a module in a folder of dist/ imports for a package: its file where it is joined, or else its name. */
function placeOf(name, folder) {
  const file = joinedFile(name)
  if (!file) return name
  const path = posix.relative(folder, file)
  return path.startsWith('.') ? path : `./${path}`
}

/** Leads the modules that are not part of the bundle to the packages' files, too. */
const lazyFromFiles = {
  name: 'lazy-from-files',
  renderChunk: (code, { fileName }) => ({
    code: code.replace(lazyCalls, (_, name) => `lazyPackage('${placeOf(name, posix.dirname(fileName))}')`),
    map: null
  })
}

/** Escapes characters beyond ASCII; in texts and patterns, an escape means the same as the character. */
const inAscii = {
  name: 'in-ascii',
  renderChunk: code => ({
    code: code.replace(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    map: null
  })
}

/** Writes the bundle, and resolves with its files and with the names that its modules export. */
async function writeBundle({ build, dist }) {
  const code = await rollup({
    input: inputs(build, bundled),
    external: id => isPackage(id) && !Object.hasOwn(inlined, id),
    plugins: [fromSources, besideModules(build), lazyInSight, withoutXPathTables, smallPackages, inAscii],
    onLog
  })
  const { output } = await code.write({
    dir: dist,
    format: 'cjs',
    sourcemap: true,
    banner: refusal,
    // require needs no turn of the event loop for each file
    dynamicImportInCjs: false,
    entryFileNames: 'bundle/[name].cjs',
    chunkFileNames: 'bundle/[name].cjs',
    paths: id => placeOf(id, 'bundle')
  })
  const root = join(build, '..')
  const joined = await joinPackages({ root, dist })
  const licenses = join(dist, 'bundle/LICENSES.txt')
  const folders = [...Object.keys(inlined).map(name => join(root, 'node_modules', name)), ...joined.folders]
  const texts = folders.sort().map(folder => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${name}@${version}\n\n${licenseOf(folder)}\n`
  })
  writeFileSync(licenses, texts.join('\n'))
  return {
    files: [...output.map(({ fileName }) => join(dist, fileName)), ...joined.files, licenses],
    exported: new Map(output.filter(({ isEntry }) => isEntry).map(({ name, exports }) => [name, exports]))
  }
}

const inputs = (build, modules) =>
  Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, join(build, `${module}.js`)]))

/**
 * Returns an ES module that exports what a module of the bundle exports. Bundlers follow an import, and not a require of this sort, which takes
 * less time for the many files of the server.
 */
const facade = (name, exported) =>
  (serverEntries.has(name)
    ? [
        `import { createRequire } from 'node:module'`,
        `void (() => import('${whyNotBundled}'))`,
        `export const { ${exported.join(', ')} } = createRequire(import.meta.url)('./bundle/${name}.cjs')`,
        ''
      ]
    : [`import bundle from './bundle/${name}.cjs'`, `export const { ${exported.join(', ')} } = bundle`, '']
  ).join('\n')

/** Returns the text of a package's license, which copies of the package have to carry. */
function licenseOf(folder) {
  const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name))
  return readFileSync(join(folder, file), 'utf8')
}

/** Resolves with the files that it wrote. */
export async function bundle({ build, dist }) {
  const { files, exported } = await writeBundle({ build, dist })
  const code = await rollup({ input: inputs(build, entries), external: isPackage, plugins: [fromSources, lazyFromFiles], onLog })
  const { output } = await code.write({ dir: dist, sourcemap: true, chunkFileNames: 'chunks/[name].js' })
  files.push(...output.map(({ fileName }) => join(dist, fileName)))
  for (const name of published) {
    const file = join(dist, `${name}.js`)
    writeFileSync(file, facade(name, exported.get(name)))
    files.push(file, ...(await writeTypes({ build, dist }, name)))
  }
  return files
}

/** Writes the types of an entry, for importers and for those who call require. Those of the whole package are in index.d.ts only. */
async function writeTypes({ build, dist }, name) {
  const entry = join(build, `${bundled[name]}.d.ts`)
  const isIndex = id => name !== 'index' && /(^|[\\/])index\.(js|d\.ts)$/.test(id) && id !== entry
  const external = id => isPackage(id) || isIndex(id)
  const types = await rollup({ input: entry, external, plugins: [dts()], onLog })
  // Not every project includes Node's types by itself.
  const banner = '/// <reference types="node" />'
  const { output } = await types.generate({ paths: id => (isIndex(id) ? './index.js' : id), banner })
  const [{ code, exports }] = output
  const text = parts.has(name) ? `${banner}\nexport { ${exports.join(', ')} } from './index.js'\n` : code
  const files = { [`${name}.d.ts`]: text, [`${name}.d.cts`]: text.replaceAll("'./index.js'", "'./index.cjs'") }
  return Object.entries(files).map(([file, content]) => {
    const path = join(dist, file)
    writeFileSync(path, content)
    return path
  })
}
