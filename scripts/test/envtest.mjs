// Runs the test of examples/envtest-go on `binnacle envtest`. Without Go, or without the modules and no network to fetch them, it says so.
//   node scripts/test/envtest.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whyMissing, whyNothingWorks } from './toolchains.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cwd = join(root, 'examples/envtest-go')
const go = (args, more = {}) => spawnSync('go', args, { cwd, encoding: 'utf8', ...more })
const skip = why => {
  console.log(`skipped: ${why}`)
  process.exit(0)
}

const missing = whyMissing('go')
if (missing) skip(missing)
const fetched = go(['mod', 'download'], { timeout: 300_000 })
if (fetched.status !== 0) {
  const nothing = whyNothingWorks('go')
  if (nothing) skip(nothing)
  console.error(`envtest: go mod download fails in examples/envtest-go\n${fetched.stderr}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'))
try {
  const written = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'envtest', folder], { encoding: 'utf8' })
  if (written.status !== 0) throw new Error(written.stderr)
  const env = { ...process.env, KUBEBUILDER_ASSETS: written.stdout.trimEnd() }
  process.exitCode = go(['test', '-count=1', '-v', './...'], { env, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
