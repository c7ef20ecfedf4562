import { readFileSync } from 'node:fs'

/** Milliseconds between looks for the parent. */
const interval = 1000

/**
 * Calls `stop` when the process that started this one has ended. npm does not pass on a SIGKILL, and a server that lost its npm would
 * keep its port and folder. npm runs scripts in a shell, so that it is the parent's parent.
 */
export function stopWithParent(stop: () => void): void {
  const before = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(timer)
    stop()
  }, interval)
  timer.unref()
}

const ancestors = (): string => `${process.ppid} ${parentOf(process.ppid)}`

/** The parent of a process, on systems that have /proc. */
function parentOf(pid: number): string {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
