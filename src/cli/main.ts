#!/usr/bin/env -S node --v8-pool-size=1 --max-semi-space-size=8
import './tuning.js'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CachedBundle, codeCacheFolder } from './code-cache.js'

type Run = typeof import('./run.js').run

/** The commands that load the whole server. In the published package its modules are also bundled in CommonJS, whose compiled code can be kept. */
const servers = new Set(['serve', 'envtest-program'])
const bundle = fileURLToPath(new URL('../bundle', import.meta.url))

const args = process.argv.slice(2)
// Nothing is awaited at the top level: bundled, the modules of other commands import parts of this one, and would wait for its end.
if (servers.has(args[0] ?? '') && existsSync(bundle)) {
  const code = new CachedBundle(bundle, codeCacheFolder(process.env))
  const { run } = code.load('run.cjs') as { run: Run }
  code.keepLater()
  void run(args)
} else {
  void import('./run.js').then(({ run }) => run(args))
}
