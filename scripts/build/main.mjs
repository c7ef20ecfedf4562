// Compiles src/ to build/, module by module, for the tests; then joins the modules in dist/, which is published.
// Removes files whose source is gone and overwrites the others, so that a server that runs from dist/ is not interrupted.
//   node scripts/build/main.mjs
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { sourceStamp, stampFile } from './stamp.mjs'

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

const steps = [
  function removeStale() {
    for (const file of files(build)) {
      const base = join(src, file.slice(build.length)).replace(/(\.d\.ts|\.js|\.js\.map)$/, '')
      if (!existsSync(`${base}.ts`) && !existsSync(base)) rmSync(file)
    }
  },
  function compile() {
    const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
      stdio: 'inherit'
    })
    if (status !== 0) process.exit(status ?? 1)
  },
  function copyGeneratedData() {
    for (const file of files(src).filter(file => /[\\/]generated[\\/][^\\/]+\.json$/.test(file))) {
      const target = join(build, file.slice(src.length))
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(file, target)
    }
  },
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
const stamp = sourceStamp(root)
rmSync(stampFile(root), { force: true })
for (const step of steps) await step()
writeFileSync(stampFile(root), stamp)
