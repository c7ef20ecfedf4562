// Runs the tests and examples of the clients in other languages (clients/) on the package as it is built. Skips a language, and says why, only
// where its toolchain is missing or can fetch nothing (toolchains.mjs). All else that fails is the client's fault.
//   node scripts/test/clients.mjs [python go java testcontainers rust github-action]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refuse } from '../shared/options.mjs'
import { inFolder, python, whyMissing, whyNothingWorks } from './toolchains.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'binnacle-clients-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const venv = join(folder, 'venv')
/** A program of Python's environment. */
const inVenv = name => join(venv, process.platform === 'win32' ? 'Scripts' : 'bin', name)
const env = {
  ...process.env,
  BINNACLE_NODE: process.execPath,
  BINNACLE_PATH: root,
  // what tests leave behind is not looked at by others
  CARGO_TARGET_DIR: join(folder, 'target'),
  PYTHONDONTWRITEBYTECODE: '1'
}

/** A project of Maven. A test that runs has fetched what compiles and runs tests. */
const ofMaven = {
  toolchain: 'java',
  reads: [['mvn', '-B', '-o', '-q', 'validate']],
  standIn: {
    manifest: 'pom.xml',
    'src/test/java/OtherTest.java': 'class OtherTest { @org.junit.jupiter.api.Test void runs() {} }'
  },
  get: [['mvn', '-B', '-ntp', '-q', 'test']]
}

/**
 * `reads` looks at what names the client's packages, and needs neither them nor a network. `get` fetches the packages without a look at the
 * client's code; with `standIn`, for a project of the same packages and other code. Commands run in the folder of the client.
 */
const clients = {
  python: {
    toolchain: 'python',
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
    toolchain: 'go',
    reads: [
      ['go', 'mod', 'edit', '-json'],
      ['go', '-C', 'example', 'mod', 'edit', '-json']
    ],
    get: [['go', '-C', 'example', 'mod', 'download']],
    test: [
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...'],
      ['go', '-C', 'example', 'test', '-count=1', './...']
    ]
  },
  java: { ...ofMaven, test: [['mvn', '-B', '-ntp', 'test']] },
  testcontainers: { ...ofMaven, test: [[process.execPath, 'stand-in.mjs', 'mvn', '-B', '-ntp', 'test']] },
  rust: {
    toolchain: 'rust',
    reads: [['cargo', 'metadata', '--quiet', '--no-deps', '--offline', '--format-version=1']],
    // packages of Rust need a linker, too
    standIn: { manifest: 'Cargo.toml', 'src/lib.rs': '#[test]\nfn runs() {}\n' },
    // in a folder of its own: cargo would take what it has built of the stand-in for the client
    get: [['cargo', 'test', '--quiet', '--target-dir', 'target']],
    test: [['cargo', 'test', '--quiet']]
  },
  'github-action': { get: [], test: [[process.execPath, '--test', 'test.mjs']] }
}

const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !Object.hasOwn(clients, name))
if (unknown !== undefined) refuse(`there is no client ${unknown}; there are ${Object.keys(clients).join(', ')}`)
const clientFolder = name => join(root, 'clients', name)
/** Runs commands until one fails, and returns what that one printed; undefined when none does. */
function failure(commands, cwd, stdio = 'pipe') {
  for (const [command, ...args] of commands) {
    const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
      cwd,
      env,
      stdio,
      encoding: 'utf8',
      timeout: 300_000
    })
    if (status === 0) continue
    const end = error?.message ?? (signal ? `ended by ${signal}` : `ended with ${status}`)
    return `${[command, ...args].join(' ')} ${end}\n${stdout ?? ''}${stderr ?? ''}`
  }
}
/** Fetches the packages of a client. */
function failureToGet(name, { get, standIn }) {
  if (!standIn) return failure(get, clientFolder(name))
  const { manifest, ...files } = standIn
  return inFolder({ ...files, [manifest]: readFileSync(join(clientFolder(name), manifest), 'utf8') }, folder =>
    failure(get, folder)
  )
}
/** Returns whether the client passed, or why it was skipped. */
function tryClient(name, { toolchain, reads = [], test, ...client }) {
  const missing = toolchain && whyMissing(toolchain)
  if (missing) return missing
  let failed = failure(reads, clientFolder(name))
  if (!failed) {
    failed = failureToGet(name, client)
    const nothing = failed && toolchain && whyNothingWorks(toolchain)
    if (nothing) return nothing
  }
  failed ??= failure(test, clientFolder(name), 'inherit')
  if (failed) console.log(failed.trimEnd())
  return !failed
}

for (const [name, client] of Object.entries(clients)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = Date.now()
  const result = tryClient(name, client)
  if (typeof result === 'string') {
    console.log(`skipped: clients/${name}: ${result}`)
    continue
  }
  console.log(`${result ? 'passed' : 'FAILED'}: clients/${name}, ${Math.round((Date.now() - started) / 1000)} s`)
  if (!result) process.exitCode = 1
}
