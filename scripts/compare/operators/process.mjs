/** A replica of one of the two operators. */
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Builds the Go program below `folder`; undefined where that cannot be. */
export function goProgram(folder) {
  const binary = join(folder, 'operator-go')
  const { status, stderr, error } = spawnSync('go', ['build', '-o', binary, '.'], { cwd: join(here, 'go'), encoding: 'utf8' })
  if (status === 0) return [binary]
  console.log(`skipped: the operator in Go cannot be built: ${error?.message ?? stderr.trim()}`)
}

export const nodeProgram = [process.execPath, join(here, 'node/main.mjs')]

export class Replica {
  #child
  /** Resolves with what became of the process: `exit 1`, `SIGKILL`. */
  ended

  constructor([command, ...args], kubeconfig, log) {
    this.#child = spawn(command, args, { env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: ['ignore', 'pipe', 'pipe'] })
    const file = createWriteStream(log)
    this.#child.stdout.pipe(file, { end: false })
    this.#child.stderr.pipe(file, { end: false })
    this.ended = new Promise(resolve => {
      this.#child.on('exit', (code, signal) => {
        file.end()
        resolve(signal ?? `exit ${code}`)
      })
    })
  }

  get pid() {
    return this.#child.pid
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The memory that the process has had at most, and now, in MB; the CPU time that it has used, in ms. Linux only. */
  usage() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    const megabytes = name => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024)
    const times = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return { peak: megabytes('VmHWM'), resident: megabytes('VmRSS'), cpu: (Number(times[11]) + Number(times[12])) * 10 }
  }

  signal(name) {
    this.#child.kill(name)
    return this.ended
  }
}
