// Runs the tests and examples of the clients in other languages (clients/) on the package as it is built. Says so where a toolchain, or a
// network to fetch the packages of a language, is missing.
//   node scripts/test/clients.mjs [python go java rust github-action]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'binnacle-clients-'))
const venv = join(folder, 'venv')
/** A program of Python's environment. */
const inVenv = name => join(venv, process.platform === 'win32' ? 'Scripts' : 'bin', name)
const python = process.platform === 'win32' ? 'python' : 'python3'
const env = {
  ...process.env,
  BINNACLE_NODE: process.execPath,
  BINNACLE_PATH: root,
  // what tests leave behind is not looked at by others
  CARGO_TARGET_DIR: join(folder, 'target'),
  PYTHONDONTWRITEBYTECODE: '1'
}

/** `get` fails where a client cannot be tested, and then `needs` says why. Each command runs in the folder of the client. */
const clients = {
  python: {
    needs: 'Python from version 3.9 on, with the packages of clients/python',
    get: [
      [python, '-m', 'venv', venv],
      [inVenv('pip'), 'install', '--quiet', '--no-compile', '--disable-pip-version-check', '.[test]']
    ],
    test: [
      [inVenv('pytest'), '-q', '-p', 'no:cacheprovider', 'tests'],
      [inVenv('pytest'), '-q', '-p', 'no:cacheprovider', 'example']
    ]
  },
  go: {
    needs: 'Go, with the modules of clients/go/example',
    get: [['go', '-C', 'example', 'mod', 'download']],
    test: [
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...'],
      ['go', '-C', 'example', 'test', '-count=1', './...']
    ]
  },
  java: {
    needs: 'Java from version 17 on and Maven, with the packages of clients/java',
    get: [['mvn', '-B', '-ntp', '-q', '-DskipTests', 'test-compile']],
    test: [['mvn', '-B', '-ntp', 'test']]
  },
  rust: {
    needs: 'Rust from version 1.75 on, with the crates of clients/rust',
    get: [['cargo', 'fetch', '--quiet']],
    test: [['cargo', 'test', '--quiet']]
  },
  'github-action': { get: [], test: [[process.execPath, '--test', 'test.mjs']] }
}

const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !Object.hasOwn(clients, name))
if (unknown !== undefined) throw new Error(`there is no client ${unknown}: ${Object.keys(clients).join(', ')}`)
const works = (name, [command, ...args], stdio) =>
  spawnSync(command, args, { cwd: join(root, 'clients', name), env, stdio, timeout: 300_000 }).status === 0
try {
  for (const [name, { needs, get, test }] of Object.entries(clients)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    if (!get.every(command => works(name, command, 'ignore'))) {
      console.log(`skipped: there is no ${needs}`)
      continue
    }
    const started = Date.now()
    const passed = test.every(command => works(name, command, 'inherit'))
    console.log(`${passed ? 'passed' : 'FAILED'}: clients/${name}, ${Math.round((Date.now() - started) / 1000)} s`)
    if (!passed) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
