// Builds dist/ from src/. Files in dist/ whose source is gone are removed; the rest is written over, so that a server that runs
// from dist/ is not cut off in between.
//   node scripts/build.mjs
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceStamp, stampFile } from './stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')
const dist = join(root, 'dist')
const files = folder =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    : []

const steps = [
  function removeStale() {
    for (const file of files(dist)) {
      const base = join(src, file.slice(dist.length)).replace(/(\.d\.ts|\.js)$/, '')
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
      const target = join(dist, file.slice(src.length))
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(file, target)
    }
  },
  function generateDescriptions() {
    spawnSync(process.execPath, [join(root, 'scripts/generate-descriptions.mjs')], { stdio: 'inherit' })
  },
  function makeExecutable() {
    chmodSync(join(dist, 'cli/main.js'), 0o755)
  }
]

// Taken first: what is changed during the build is built the next time.
const stamp = sourceStamp(root)
rmSync(stampFile(root), { force: true })
for (const step of steps) step()
writeFileSync(stampFile(root), stamp)
