// Compiles src/ to build/, module by module, for the tests; joins the modules in dist/, which is published; and builds the console.
// Removes files whose source is gone and overwrites the others, so that a server that runs from dist/ is not interrupted.
//   node scripts/build/main.mjs                  all
//   node scripts/build/main.mjs --stages=build   build/ alone: enough for most tests, and done in seconds
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { bundle } from './bundle.mjs'
import { sourceStamps, stampFiles } from './stamp.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const src = join(root, 'src')
const build = join(root, 'build')
const dist = join(root, 'dist')
const files = folder =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    : []

const compileSteps = [
  function removeStale() {
    for (const file of files(build)) {
      // what the build itself remembers and makes
      if (basename(file).startsWith('.') || /[\\/]generated[\\/][^\\/]+\.(json|txt)$/.test(file)) continue
      const base = join(src, file.slice(build.length)).replace(/(\.d\.ts|\.js|\.js\.map)$/, '')
      if (!existsSync(`${base}.ts`) && !existsSync(base)) rmSync(file)
    }
  },
  function compile() {
    // The compiler keeps what it knows, and compiles what has changed since. What it knows is of no use without what it wrote.
    const memory = join(build, '.tsbuildinfo')
    const args = ['-p', root, '--incremental', '--tsBuildInfoFile', memory]
    const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  },
  function copyGeneratedData() {
    for (const file of files(src).filter(file => /[\\/]generated[\\/][^\\/]+\.json$/.test(file))) {
      const target = join(build, file.slice(src.length))
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(file, target)
    }
  }
]
const bundleSteps = [
  function generateDescriptions() {
    spawnSync(process.execPath, [join(root, 'scripts/generate/descriptions.mjs')], { stdio: 'inherit' })
  },
  function generatePreparedObjects() {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/generate/prepared-objects.mjs')], { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  },
  async function joinModules() {
    const written = new Set(await bundle({ build, dist }))
    for (const file of files(dist)) if (!written.has(file)) rmSync(file)
    chmodSync(join(dist, 'cli/main.js'), 0o755)
  }
]

const consoleSteps = [
  async function buildConsole() {
    const { build } = await import('vite')
    await build({ root: join(root, 'console'), logLevel: 'warn' })
  },
  function bundleTestsOfConsole() {
    const tests = files(join(root, 'console/src')).filter(file => file.endsWith('.test.ts'))
    const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', sourcemap: true, logLevel: 'warning' }
    buildSync({ ...options, entryPoints: tests, outbase: join(root, 'console/src'), outdir: join(root, 'console/build') })
  }
]

// Taken first, so that what changes during the build is built the next time.
const stamps = sourceStamps(root)
const stages = { build: compileSteps, dist: bundleSteps, console: consoleSteps }
const chosen = process.argv.find(arg => arg.startsWith('--stages='))
const names = chosen ? chosen.slice('--stages='.length).split(',') : Object.keys(stages)
for (const name of names) {
  const file = stampFiles(root)[name]
  rmSync(file, { force: true })
  for (const step of stages[name]) await step()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, stamps[name])
}
