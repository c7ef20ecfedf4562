/** Watches the system calls of a process, or makes them fail, with strace(1). */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Why strace cannot be used here; undefined when it can. */
export const withoutStrace: string | undefined = (() => {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no strace on this machine, or it may not trace: skipped'
  }
})()

export interface FailingCalls {
  readonly pid: number
  /** Only calls on this file fail. */
  readonly path: string
  /** Names of system calls. Those that this machine lacks are left out. */
  readonly calls: readonly string[]
  /** The error they return: EROFS. */
  readonly error: string
}

/** Makes system calls of a running process fail, until the returned function is called. */
export async function failCalls({ pid, path, calls, error }: FailingCalls): Promise<() => Promise<void>> {
  const list = calls.map(call => `?${call}`).join(',')
  const args = [
    '-f',
    '-p',
    String(pid),
    '-P',
    path,
    '-e',
    `trace=${list}`,
    '-e',
    `inject=${list}:error=${error}`,
    '-o',
    '/dev/null'
  ]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', data => {
      text += data
      if (/attached/.test(text)) resolve()
    })
    strace.once('exit', code => reject(new Error(`strace ended with ${code}: ${text}`)))
  })
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'exit')
  }
}
