// Runs the examples of the test API in other languages on `binnacle serve --test-api`. Says so where a toolchain is missing.
//   node scripts/test-api.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
const env = { ...process.env, BINNACLE: [process.execPath, join(root, 'dist/cli/main.js')].map(quoted).join(' ') }
const examples = [
  {
    language: 'Python',
    probe: ['python3', ['--version']],
    run: ['python3', ['-B', '-m', 'unittest', 'discover', '-s', 'examples/test-api-python', '-v']]
  }
]

for (const { language, probe, run } of examples) {
  if (spawnSync(...probe, { stdio: 'ignore' }).status !== 0) {
    console.log(`skipped: there is no ${language} in PATH`)
    continue
  }
  const { status } = spawnSync(...run, { cwd: root, env, stdio: 'inherit', timeout: 300_000 })
  if (status !== 0) process.exitCode = 1
}
