/**
 * Tells whether the process that a lock file names still lives. A process id cannot say so: each container has a process 1. So the
 * holder listens at a socket in the folder, which the kernel knows across containers. A connection to it is refused as soon as the
 * holder is gone, however it ended, and also in a copy of the folder. The kernel of another machine (NFS) knows nothing of the socket,
 * so the holder also touches its lock file.
 */
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import net from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a lock file says of its holder. */
export interface Holder {
  readonly pid: number
  /** Distinguishes a process from a later one with the same id, on platforms where this is possible. */
  readonly start?: string | undefined
  /** The kernel under which it runs, from its boot to its end; undefined where this is not known. */
  readonly boot?: string | undefined
  readonly host?: string | undefined
  /** The namespace of its process id. */
  readonly namespace?: string | undefined
  /** The socket's name in the folder; undefined where the file system or the platform has none. */
  readonly socket?: string | undefined
}

/** Milliseconds between two touches of the lock file, and for which another machine waits for one. */
export interface HeartbeatTimes {
  readonly every: number
  readonly patience: number
}

export const usualTimes: HeartbeatTimes = { every: 4000, patience: 10_000 }

export const thisProcess = (): Holder => ({
  pid: process.pid,
  start: startOf(process.pid),
  boot: bootId(),
  host: hostname(),
  namespace: namespace()
})

/** Returns the holder of a lock file's text; undefined when there was none, or when it was being written as the machine stopped. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const content = JSON.parse(text) as Partial<Holder> | null
    return typeof content?.pid === 'number' ? (content as Holder) : undefined
  } catch {
    return undefined
  }
}

/** Names the holder for the one who is refused. */
export function describe({ pid, host, namespace: theirs, boot }: Holder): string {
  const own = thisProcess()
  if ((theirs ?? own.namespace) === own.namespace && (host ?? own.host) === own.host) return `process ${pid}`
  if (host !== undefined && host !== own.host)
    return `process ${pid} of ${boot === own.boot ? 'the container' : 'the machine'} ${host}`
  return `process ${pid} of another container`
}

/** Resolves with whether the holder lives. Waits only for a holder on another machine, whose last touch is recent. */
export async function isAlive(directory: string, file: string, holder: Holder, times: HeartbeatTimes): Promise<boolean> {
  const { socket, boot } = holder
  // releases before the socket, and file systems without sockets
  if (socket === undefined && (boot === undefined || boot === bootId())) return isRunning(holder)
  if (socket !== undefined && (await answers(directory, socket))) return true
  return boot === bootId() ? false : isTouched(file, times)
}

/** Listens at a socket in the folder. Resolves with a function that ends it, or undefined where there can be no sockets. */
export async function listenAt(directory: string, name: string): Promise<(() => void) | undefined> {
  // Windows takes the path for the name of a pipe, and its process ids are those of the machine
  if (process.platform === 'win32') return undefined
  const server = net.createServer(socket => socket.destroy())
  const bound = await withShortPath(directory, async folder => {
    const done = new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen({ path: join(folder, name) }, () => resolve(true))
    })
    return done
  })
  if (!bound) return undefined
  server.unref()
  chmodSync(join(directory, name), 0o600)
  return () => {
    server.close()
    rmSync(join(directory, name), { force: true })
  }
}

/** Touches the lock file until the end. A file that is gone, or a disk that fails, shows in other ways. */
export function touch(file: string, { every }: HeartbeatTimes): () => void {
  const timer = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(file, now, now)
    } catch {
      // the next touch may succeed
    }
  }, every).unref()
  return () => clearInterval(timer)
}

/** Whether somebody listens. What is no clear refusal counts as an answer: a store that two processes write to is lost. */
const answers = (directory: string, name: string): Promise<boolean> =>
  withShortPath(
    directory,
    folder =>
      new Promise(resolve => {
        const socket = net.connect(join(folder, name))
        socket.once('connect', () => {
          socket.destroy()
          resolve(true)
        })
        socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(!gone.has(code ?? '')))
      })
  )

const gone: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT'])

/** Bytes that the path of a socket may have on all platforms. */
const maxPathBytes = 100

/** Calls `use` with a path of the folder that is short enough for a socket in it. */
async function withShortPath<T>(directory: string, use: (folder: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(directory) + 50 <= maxPathBytes) return use(directory)
  const links = mkdtempSync(join(tmpdir(), 'binnacle-lock-'))
  try {
    const link = join(links, 'd')
    symlinkSync(directory, link)
    return await use(link)
  } finally {
    rmSync(links, { recursive: true, force: true })
  }
}

/** Whether another machine touches the file. Only whether its time changes counts, because clocks differ between machines. */
async function isTouched(file: string, { every, patience }: HeartbeatTimes): Promise<boolean> {
  const timeOf = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const first = timeOf()
  // a time far from now is that of a holder that ended: the clocks of machines that share files hardly differ by minutes
  if (first === undefined || Math.abs(Date.now() - first) > longAgoMs) return false
  for (let waited = 0; waited < patience; waited += every / 5) {
    await new Promise(resolve => setTimeout(resolve, every / 5))
    if (timeOf() !== first) return true
  }
  return false
}

const longAgoMs = 10 * 60 * 1000

const isRunning = ({ pid, start }: Holder): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const present = startOf(pid)
  return start === undefined || present === undefined || start === present
}

const quietly = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const bootId = () => quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const namespace = () => quietly(() => readlinkSync('/proc/self/ns/pid'))

/**
 * On Linux, the boot id and the time of the process's start since then. On other platforms this is known for this process only.
 */
const startOf = (pid: number): string | undefined => {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const boot = bootId()
  if (stat === undefined || boot === undefined)
    return pid === process.pid ? String(Math.round(performance.timeOrigin)) : undefined
  // The command's name, in parentheses, may contain any character; the start time is the 20th field after it.
  return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
}
