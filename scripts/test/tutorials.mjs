// Does what the tutorials say (docs/tutorials/), block by block, in an empty folder, with the built package.
//   npm run build && node scripts/test/tutorials.mjs [NAME…]
//
// A comment before a block says what it is: `<!-- file: NAME -->` is written; `<!-- run -->` is run, `<!-- run, prints: TEXT -->` has to print a text;
// `<!-- run: background, until: COMMAND -->` goes on while COMMAND is tried; of a `<!-- session -->`, each line after `$` is run, and has to print the lines that
// follow: `…` stands for anything, a duration for any. Other blocks are not run. A tutorial with kubectl is skipped where there is none.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/tutorials')
const wanted = process.argv.slice(2)
const hasKubectl = spawnSync('kubectl', ['version', '--client'], { env: process.env }).status === 0
let failed = false

for (const file of readdirSync(folder).filter(name => wanted.length === 0 || wanted.includes(name.replace(/\.md$/, '')))) {
  const blocks = blocksOf(readFileSync(join(folder, file), 'utf8'))
  if (!hasKubectl && blocks.some(({ text }) => /\bkubectl\b/.test(text) && !text.startsWith('npx binnacle generate'))) {
    process.stdout.write(`${file}: skipped, there is no kubectl\n`)
    continue
  }
  try {
    await follow(blocks)
    process.stdout.write(`${file}: ${blocks.length} blocks do what they say\n`)
  } catch (error) {
    failed = true
    process.stdout.write(`${file}: ${error.message}\n`)
  }
}
process.exit(failed ? 1 : 0)

/** The blocks that a comment marks, in their order. */
function blocksOf(markdown) {
  return [
    ...markdown.matchAll(/<!-- (file|run|session)(?:: ([^,]*?))?(?:, (prints|until): (.*?))? -->\n```\w+\n([\s\S]*?)```/g)
  ].map(([, kind, argument, option, value, text]) => ({ kind, argument, option, value, text }))
}

async function follow(blocks) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-tutorial-')))
  const running = []
  const env = {
    ...process.env,
    PATH: `${join(place, 'bin')}:${process.env.PATH}`,
    KUBECONFIG: join(place, '.binnacle/kubeconfig')
  }
  try {
    prepare(place, await freePort())
    for (const { kind, argument, option, value, text } of blocks) {
      if (kind === 'file') writeFileSync(join(place, argument), text)
      else if (argument === 'background') {
        running.push(spawn('bash', ['-c', `exec ${text}`], { cwd: place, env, stdio: 'ignore' }))
        await until(() => run(value, place, env).status === 0, `${value} works`)
      } else if (kind === 'run') {
        const { status, output } = run(text, place, env)
        if (status !== 0 || (option === 'prints' && !output.includes(value))) throw new Error(`${text}\nprinted\n${output}`)
      } else for (const { command, printed } of commandsOf(text)) check(command, printed, run(command, place, env))
    }
  } finally {
    for (const program of running) program.kill()
    await Promise.all(running.map(program => program.exitCode ?? new Promise(resolve => program.once('exit', resolve))))
    rmSync(place, { recursive: true, force: true })
  }
}

/** Installs the package as a link, and an `npx` that runs it, on a port of its own. */
function prepare(place, port) {
  mkdirSync(join(place, 'node_modules'))
  symlinkSync(root, join(place, 'node_modules/binnacle'))
  writeFileSync(join(place, 'package.json'), '{"type": "module"}\n')
  mkdirSync(join(place, 'bin'))
  const main = join(root, 'dist/cli/main.js')
  const script = `#!/usr/bin/env bash
shift
case "$1" in
  serve | simulate) exec "${process.execPath}" "${main}" "$@" --secure-port=${port} --bind-address=127.0.0.1 ;;
  *) exec "${process.execPath}" "${main}" "$@" ;;
esac
`
  writeFileSync(join(place, 'bin/npx'), script)
  chmodSync(join(place, 'bin/npx'), 0o755)
}

function run(text, cwd, env) {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', text], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 180_000
  })
  return { status, output: `${stdout}${stderr}` }
}

function commandsOf(text) {
  const parts = text.split(/^\$ /m).slice(1)
  return parts.map(part => {
    const [command, ...printed] = part.trimEnd().split('\n')
    return { command, printed }
  })
}

/** Fails unless the lines were printed, in this order. */
function check(command, printed, { status, output }) {
  if (status !== 0) throw new Error(`$ ${command}\nfailed with ${status}:\n${output}`)
  const lines = output.split('\n').map(line => line.trim().replaceAll(/\s+/g, ' '))
  let at = 0
  for (const line of printed) {
    const found = lines.slice(at).findIndex(given => patternOf(line).test(given))
    if (found < 0) throw new Error(`$ ${command}\nshould print\n${line}\nand printed\n${output}`)
    at += found + (line.trim() === '…' ? 0 : 1)
  }
}

/** A line as a pattern: `…` is anything, and a duration any duration. */
function patternOf(line) {
  const words = line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${words.replaceAll('…', '.*').replaceAll(/\b\d+s\b/g, '\\d+m?\\d*s?')}$`)
}

async function until(is, what) {
  for (let i = 0; i < 120; i++) {
    if (is()) return
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  throw new Error(`waited in vain until ${what}`)
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
