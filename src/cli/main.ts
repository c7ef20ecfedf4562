#!/usr/bin/env -S node --v8-pool-size=1 --max-semi-space-size=8
import './tuning.js'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CachedBundle, codeCacheFolder } from '../loading/code-cache.js'
import { boundGarbage } from './heap-growth.js'

type Run = typeof import('./run.js').run

/** In the published package all modules are bundled. Servers keep the compiled code: other commands would keep too little of it. */
const servers = new Set(['serve', 'serve-worker', 'envtest-program'])
const bundle = fileURLToPath(new URL('../bundle', import.meta.url))
const unbundled = './run.js'

const args = process.argv.slice(2)
const isServer = servers.has(args[0] ?? '')
if (existsSync(bundle)) {
  const code = new CachedBundle(bundle, isServer ? codeCacheFolder(process.env) : undefined, 'command line')
  const { run } = code.load('run.cjs') as { run: Run }
  if (isServer) code.keepLater(boundGarbage)
  void run(args)
} else {
  if (isServer) boundGarbage()
  void import(unbundled).then(({ run }: { run: Run }) => run(args))
}
