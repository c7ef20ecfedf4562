// Runs the tests in build/ with Node's test runner.
//   node scripts/test/main.mjs [part of a path…] [--option-of-node…]
//   npm test -- pki                               files with "pki" in their path
//   npm test -- src/transport/certificates/pki.test.ts      one file
//   npm test -- --test-name-pattern=renews
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const options = process.argv.slice(2).filter(arg => arg.startsWith('--'))
const filters = process.argv
  .slice(2)
  .filter(arg => !arg.startsWith('--'))
  .map(arg => arg.replace(/^(\.\/)?src\//, 'build/').replace(/\.ts$/, '.js'))

const tests = readdirSync(join(root, 'build'), { recursive: true })
  .filter(name => name.endsWith('.test.js'))
  .map(name => join('build', name))
  .filter(name => filters.length === 0 || filters.some(filter => name.includes(filter)))
  .sort()
if (tests.length === 0) {
  process.stderr.write('no test files match\n')
  process.exit(1)
}

// Test files wait for processes and timers now and then: one more than there are cores keeps the cores busy.
const concurrency = availableParallelism() + 1
const args = [
  '--test',
  `--test-concurrency=${concurrency}`,
  // what hangs fails, and does not hold up everything
  '--test-timeout=180000',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${new URL('slowest.mjs', import.meta.url)}`,
  '--test-reporter-destination=stdout',
  ...options,
  ...tests
]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
