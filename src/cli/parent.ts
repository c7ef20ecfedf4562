import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds between two looks for the parent. */
const interval = 1000
/** The same for a server that belongs to a test, because the next run may want its port. */
const testInterval = 250

/**
 * Calls `stop` when the process that started this one has ended. npm does not pass on a SIGKILL, and a server that lost its npm would
 * keep its port and folder. npm runs scripts in a shell, so that it is the parent's parent.
 */
export function stopWithParent(stop: () => void): void {
  const before = ancestors()
  look(interval, () => ancestors() !== before, stop)
}

interface System {
  readonly platform: NodeJS.Platform
  /** Finds the parent of a process. */
  readonly parentOf: (pid: number, use: (parent: number) => void) => void
}

/**
 * Calls `stop` when the process `parent` has ended, which started this one. A process whose parent ended gets another one; on Windows it keeps
 * the number of the former one, and the parent is the interpreter of a script, so that the parent's parent counts as well.
 */
export function endWithParent(
  parent: number,
  stop: () => void,
  { platform, parentOf }: System = { platform: process.platform, parentOf: parentOnWindows }
): void {
  if (platform !== 'win32') return look(testInterval, () => process.ppid !== parent, stop)
  const watched = [parent]
  parentOf(parent, found => watched.push(found))
  look(testInterval, () => !watched.every(isRunning), stop)
}

function look(every: number, hasEnded: () => boolean, stop: () => void): void {
  const timer = setInterval(() => {
    if (!hasEnded()) return
    clearInterval(timer)
    stop()
  }, every)
  timer.unref()
}

const ancestors = (): string => `${process.ppid} ${parentInProc(process.ppid)}`

/** Returns the parent of a process, on systems that have /proc. */
function parentInProc(pid: number): string {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** Asks Windows for the parent of a process. That takes a second, so nobody waits for the answer. */
function parentOnWindows(pid: number, use: (parent: number) => void): void {
  const command = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').ParentProcessId`
  const child = execFile(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', command],
    { windowsHide: true },
    (error, stdout) => {
      const parent = Number.parseInt(stdout, 10)
      if (!error && parent > 0) use(parent)
    }
  )
  child.unref()
}

/** Whether a process with this number exists, even if it may not be signalled. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
