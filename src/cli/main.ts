#!/usr/bin/env -S node --v8-pool-size=1 --max-semi-space-size=8
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { useCompileCache } from '../util/loading/compile-cache.js'
import { boundGarbage } from './heap-growth.js'
import { shrinkWhenIdle } from './idle-memory.js'
import { tuneCompilers } from './tuning.js'
import { forgetSemiSpace, underUsualFlags } from './v8-flags.js'

type Run = typeof import('./run.js').run

/** The commands that run servers. Only they use the compiled code of earlier starts: other commands use too little of it. */
const servers = new Set(['serve', 'serve-worker', 'envtest-program'])
/** In the published package, all modules are bundled. */
const bundled = fileURLToPath(new URL('../bundle/run.cjs', import.meta.url))
const unbundled = './run.js'

forgetSemiSpace()
const args = process.argv.slice(2)
const isServer = servers.has(args[0] ?? '')
void main()

async function main(): Promise<void> {
  if (isServer) useCompileCache(fileURLToPath(new URL('..', import.meta.url)), underUsualFlags)
  const { run } = (existsSync(bundled) ? createRequire(import.meta.url)(bundled) : await import(unbundled)) as { run: Run }
  await run(args, url => import(url))
  if (!isServer) return
  tuneCompilers()
  boundGarbage()
  shrinkWhenIdle()
}
