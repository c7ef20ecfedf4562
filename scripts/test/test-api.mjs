// Runs the examples of the test API in other languages on `binnacle serve --test-api`. Says so where a toolchain is missing.
//   node scripts/test/test-api.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whyMissing, whyNothingWorks } from './toolchains.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
const env = { ...process.env, BINNACLE: [process.execPath, join(root, 'dist/cli/main.js')].map(quoted).join(' ') }
/** `get` fetches packages, where an example needs some. */
const examples = [
  {
    toolchain: 'python',
    run: ['python3', '-B', '-m', 'unittest', 'discover', '-s', 'examples/test-api-python', '-v']
  },
  {
    toolchain: 'go',
    get: ['go', '-C', 'examples/test-api-go', 'mod', 'download'],
    run: ['go', '-C', 'examples/test-api-go', 'test', '-count=1', '-v', './...']
  },
  { toolchain: 'jdk', run: ['java', 'examples/test-api-java/Courses.java'] }
]

const succeeds = ([command, ...args]) =>
  spawnSync(command, args, { cwd: root, env, stdio: 'inherit', timeout: 300_000 }).status === 0

for (const { toolchain, get, run } of examples) {
  const missing = whyMissing(toolchain)
  if (missing) {
    console.log(`skipped: ${missing}`)
  } else if (get && !succeeds(get)) {
    const nothing = whyNothingWorks(toolchain)
    if (nothing) console.log(`skipped: ${nothing}`)
    else process.exitCode = 1
  } else if (!succeeds(run)) {
    process.exitCode = 1
  }
}
