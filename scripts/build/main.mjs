// Compiles src/ to build/, module by module, for the tests; then joins the modules in dist/, which is published.
// Removes files whose source is gone and overwrites the others, so that a server that runs from dist/ is not interrupted.
//   node scripts/build/main.mjs             all
//   node scripts/build/main.mjs --compile   build/ alone: enough for most tests, and done in seconds
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

// Taken first, so that what changes during the build is built the next time.
const stamps = sourceStamps(root)
const stages = { build: compileSteps, dist: bundleSteps }
if (process.argv.includes('--compile')) delete stages.dist
for (const [folder, steps] of Object.entries(stages)) {
  const file = stampFiles(root)[folder]
  rmSync(file, { force: true })
  for (const step of steps) await step()
  writeFileSync(file, stamps[folder])
}
