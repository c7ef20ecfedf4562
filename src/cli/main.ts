#!/usr/bin/env -S node --v8-pool-size=1 --max-semi-space-size=8
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CachedBundle, codeCacheFolder } from '../util/loading/code-cache.js'
import { boundGarbage } from './heap-growth.js'
import { shrinkWhenIdle } from './idle-memory.js'
import { tuneCompilers } from './tuning.js'
import { forgetSemiSpace, underUsualFlags } from './v8-flags.js'

type Run = typeof import('./run.js').run

/**
 * The commands that run servers. In the published package all modules are bundled, and only servers keep the compiled code: other
 * commands use too little of it.
 */
const servers = new Set(['serve', 'serve-worker', 'envtest-program'])
const bundle = fileURLToPath(new URL('../bundle', import.meta.url))
const unbundled = './run.js'

forgetSemiSpace()
const args = process.argv.slice(2)
const isServer = servers.has(args[0] ?? '')
void main()

async function main(): Promise<void> {
  const run = existsSync(bundle) ? bundledRun() : ((await import(unbundled)) as { run: Run }).run
  await run(args)
  if (!isServer) return
  tuneCompilers()
  boundGarbage()
  shrinkWhenIdle()
}

function bundledRun(): Run {
  const code = new CachedBundle(bundle, isServer ? codeCacheFolder(process.env) : undefined, underUsualFlags)
  const { run } = code.load('run.cjs') as { run: Run }
  code.keepLater()
  return run
}
