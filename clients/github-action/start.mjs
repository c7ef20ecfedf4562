// Installs Binnacle, starts it, and sets KUBECONFIG and BINNACLE_PATH for the steps that follow.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const { INPUT_PACKAGE: wanted = 'binnacle', INPUT_FLAGS: flags = '' } = process.env
const { RUNNER_TEMP, GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE } = process.env
const startMs = 60_000

/** An error of the job, which GitHub shows beside the step. */
const fail = message => {
  process.stdout.write(`::error::${message.trim().replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n`)
  process.exit(1)
}
const tell = (file, values) => {
  for (const [name, value] of Object.entries(values)) appendFileSync(file, `${name}=${value}\n`)
}

const folder = mkdtempSync(join(RUNNER_TEMP, 'binnacle-'))
const npm = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', wanted]
// npm is a script for the command interpreter on Windows, which would read the words of the package's name
if (process.platform === 'win32' && !/^[\w@./:\\-]+$/.test(wanted)) fail(`package is ${wanted}, which npm cannot be told here`)
if (spawnSync('npm', npm, { stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0)
  fail(`npm could not install ${wanted}`)

const path = join(folder, 'node_modules', 'binnacle')
const [kubeconfig, log] = [join(folder, 'kubeconfig'), join(folder, 'log')]
const output = openSync(log, 'a')
const args = ['serve', '--storage-backend=memory', '--secure-port=0', `--kubeconfig-out=${kubeconfig}`]
const server = spawn(
  process.execPath,
  ['--v8-pool-size=1', '--max-semi-space-size=8', join(path, 'dist/cli/main.js'), ...args, ...flags.split(/\s+/).filter(Boolean)],
  { detached: true, stdio: ['ignore', output, output] }
)
// what stops it finds it also where the start takes too long
tell(GITHUB_STATE, { pid: server.pid, log })
let code
server.on('exit', (status, signal) => {
  code = status ?? signal
})
for (const until = Date.now() + startMs; !existsSync(kubeconfig); await pause(50)) {
  if (code !== undefined) fail(`Binnacle ended with ${code}: ${readFileSync(log, 'utf8')}`)
  if (Date.now() > until) fail(`Binnacle does not serve after ${startMs / 1000} seconds: ${readFileSync(log, 'utf8')}`)
}
const url = JSON.parse(/^ +server: (".*")$/m.exec(readFileSync(kubeconfig, 'utf8'))[1])
tell(GITHUB_ENV, { KUBECONFIG: kubeconfig, BINNACLE_PATH: path })
tell(GITHUB_OUTPUT, { kubeconfig, url, path })
process.stdout.write(`Binnacle serves the Kubernetes API at ${url}\n`)
server.unref()
