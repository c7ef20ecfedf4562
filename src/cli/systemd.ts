/**
 * Tells systemd that the server is ready, stops, and still works (sd_notify(3)). Node cannot send to a Unix datagram socket, so the program systemd-notify
 * does, which belongs to systemd. The unit needs NotifyAccess=all, because that is another process than the server.
 */
import { execFile } from 'node:child_process'

export interface ServiceManager {
  /** `status` is what `systemctl status` shows. */
  ready(status: string): void
  /** Resolves when systemd is told, or cannot be. */
  stopping(): Promise<void>
}

/** How many milliseconds systemd-notify may take. */
const longest = 10_000

interface Needs {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Told once when systemd cannot be told. */
  warn(message: string): void
}

/** Returns undefined for a server that systemd does not wait for. */
export function serviceManager({ environment, warn }: Needs): ServiceManager | undefined {
  if (!environment.NOTIFY_SOCKET) return undefined
  let hasFailed = false
  let watchdog: NodeJS.Timeout | undefined
  const run = (facts: readonly string[]): Promise<void> =>
    new Promise(resolve => {
      const child = execFile('systemd-notify', facts, { env: { ...environment }, timeout: longest }, error => {
        resolve()
        if (!error || hasFailed) return
        hasFailed = true
        const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'systemd-notify is not installed' : error.message.trim()
        warn(`systemd cannot be told that the server is ready (${why}): use Type=exec, and no WatchdogSec`)
      })
      child.unref()
    })
  let underWay = 0
  let last = Promise.resolve()
  /** Tells one thing after the other: processes that run at once could be heard in any order. */
  const tell = (...facts: string[]): Promise<void> => {
    underWay++
    last = last.then(() => run(facts)).finally(() => underWay--)
    return last
  }
  return {
    ready(status) {
      void tell('READY=1', `STATUS=${status}`)
      const interval = watchdogInterval(environment)
      if (interval === undefined) return
      // A timer runs as long as the event loop does, which is what the watchdog is to see. What is still on its way says the same.
      watchdog = setInterval(() => underWay === 0 && void tell('WATCHDOG=1'), interval).unref()
    },
    stopping() {
      clearInterval(watchdog)
      return tell('STOPPING=1', 'STATUS=Waiting for requests in progress')
    }
  }
}

/** Milliseconds between two signs of life: half of what systemd waits, as it recommends. */
function watchdogInterval({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Needs['environment']): number | undefined {
  const wait = Number(usec)
  if (!(wait > 0) || (pid !== undefined && Number(pid) !== process.pid)) return undefined
  return Math.max(1, Math.floor(wait / 2000))
}
