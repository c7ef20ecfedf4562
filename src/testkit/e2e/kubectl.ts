/** Runs the installed kubectl against a test's own server. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

export const kubectlMissing =
  spawnSync('kubectl', ['version', '--client']).status === 0 ? false : 'there is no kubectl on this machine'

export interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Kubectl {
  /** Runs `kubectl …`. The arguments are split at blanks, except inside single quotes. Rejects when the command fails. */
  run(command: string, options?: { input?: string; env?: Record<string, string> }): Promise<string>
  /** As `run`, for commands that must fail. */
  fails(command: string, options?: { input?: string }): Promise<Output>
  /** Starts a command that keeps running; `until` resolves when its output matches. */
  start(command: string): { until(pattern: RegExp): Promise<string>; readonly ended: Promise<number | null>; stop(): void }
  readonly directory: string
  close(): Promise<void>
}

const split = (command: string) => [...command.matchAll(/'([^']*)'|(\S+)/g)].map(m => m[1] ?? m[2]!)

/** `given`: a running server; when left out, one of its own, which `close` stops. */
export async function startKubectl(given?: BinnacleServer): Promise<Kubectl> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-kubectl-'))
  const server = given ?? createServer({ log: silentLogger })
  await server.start()
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: directory, KUBECACHEDIR: join(directory, 'cache') }

  const execute = (command: string, options: { input?: string | undefined; env?: Record<string, string> | undefined } = {}) =>
    new Promise<Output>(resolve => {
      const child = execFile(
        'kubectl',
        split(command),
        { env: { ...env, ...options.env }, cwd: directory, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => {
          resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr })
        }
      )
      child.stdin!.end(options.input ?? '')
    })

  return {
    directory,
    async run(command, options) {
      const output = await execute(command, options)
      if (output.code !== 0) throw new Error(`kubectl ${command} ended with ${output.code}: ${output.stderr}${output.stdout}`)
      return output.stdout
    },
    async fails(command, options) {
      const output = await execute(command, options)
      if (output.code === 0) throw new Error(`kubectl ${command} should have failed, but printed: ${output.stdout}`)
      return output
    },
    start(command) {
      const child = spawn('kubectl', split(command), { env, cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
      let text = ''
      let wake = () => {}
      const more = (data: Buffer) => {
        text += data
        wake()
      }
      child.stdout.on('data', more)
      child.stderr.on('data', more)
      let code: number | null | undefined
      const ended = new Promise<number | null>(resolve => {
        child.once('close', status => {
          code = status
          wake()
          resolve(status)
        })
      })
      return {
        async until(pattern) {
          while (!pattern.test(text)) {
            if (code !== undefined) throw new Error(`kubectl ${command} ended with ${code} without ${pattern}: ${text}`)
            await new Promise<void>(resolve => (wake = resolve))
          }
          return text
        },
        ended,
        stop: () => void child.kill()
      }
    },
    async close() {
      if (!given) await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
