// Runs the test of examples/envtest-go on `binnacle envtest`. Without Go, or without the modules and no network to fetch them, it says so.
//   node scripts/test/envtest.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cwd = join(root, 'examples/envtest-go')
const go = (args, more = {}) => spawnSync('go', args, { cwd, encoding: 'utf8', ...more })
const skip = why => {
  console.log(`skipped: ${why}`)
  process.exit(0)
}

if (go(['version']).status !== 0) skip('there is no Go in PATH')
if (go(['mod', 'download'], { timeout: 120_000 }).status !== 0)
  skip('the modules of examples/envtest-go are not there, and cannot be fetched')

const folder = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'))
try {
  const written = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'envtest', folder], { encoding: 'utf8' })
  if (written.status !== 0) throw new Error(written.stderr)
  const env = { ...process.env, KUBEBUILDER_ASSETS: written.stdout.trimEnd() }
  process.exitCode = go(['test', '-count=1', '-v', './...'], { env, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
