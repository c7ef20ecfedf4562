// Runs the tests in build/, and those of the console, with Node's test runner.
//   node scripts/test/main.mjs [part of a path…] [--option-of-node…]
//   npm test -- pki                               files with "pki" in their path
//   npm test -- src/transport/certificates/pki.test.ts      one file
//   npm test -- --test-name-pattern=renews
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { upToDate } from '../build/stamp.mjs'
import { processes } from './processes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const options = process.argv.slice(2).filter(arg => arg.startsWith('--'))
const filters = process.argv
  .slice(2)
  .filter(arg => !arg.startsWith('--'))
  .map(arg => arg.replace(/^(\.\/)?(console\/)?src\//, '$2build/').replace(/\.ts$/, '.js'))

const testsIn = folder =>
  readdirSync(join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.test.js'))
    .map(name => join(folder, name))
const tests = [...testsIn('build'), ...testsIn(join('console', 'build'))]
  .filter(name => filters.length === 0 || filters.some(filter => name.includes(filter)))
  .sort()
if (tests.length === 0) {
  process.stderr.write('no test files match\n')
  process.exit(1)
}

// A module for each process, which imports the test files. Node's test runner sorts them by name.
const entries = mkdtempSync(join(tmpdir(), 'binnacle-tests-'))
const wing = file => file.split(sep)[1]
const read = file => readFileSync(join(root, file), 'utf8')
const modules = processes(tests, { read, wing }).map((files, i) => {
  const entry = join(entries, `${String(i).padStart(3, '0')}.mjs`)
  writeFileSync(entry, files.map(file => `import ${JSON.stringify(pathToFileURL(join(root, file)))}\n`).join(''))
  return entry
})

// Test files wait for processes and timers now and then: one more than there are cores keeps the cores busy.
const concurrency = availableParallelism() + 1
const args = [
  '--test',
  `--test-concurrency=${concurrency}`,
  // what hangs fails, and does not hold up everything
  '--test-timeout=300000',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${new URL('slowest.mjs', import.meta.url)}`,
  '--test-reporter-destination=stdout',
  ...options,
  ...modules
]
// an interrupt ends the tests, and then this
process.on('SIGINT', () => {})
// Tests that start processes take the published modules, which load in half the time, if these are of the present sources.
const dist = upToDate(root).dist ? { BINNACLE_DIST: join(root, 'dist') } : {}
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...dist } })
rmSync(entries, { recursive: true })
process.exit(status ?? 1)
