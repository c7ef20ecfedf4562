/** Looks at all that a server needs from its machine, its data folder and its etcd, and says what to do about what it finds. */

import { existsSync, readdirSync, readFileSync, type Stats, statfsSync, statSync, watch } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { StoreUnavailableError } from '../../storage/contract.js'
import { lockOf } from '../../storage/lmdb/lock.js'
import { docsPage } from '../../util/docs-page.js'
import { UserError } from '../../util/user-error.js'
import { checkDataDirectory } from '../data-directory.js'
import { bindAddressOf, storageBackendOf } from '../defaults.js'
import { storeDirectory } from '../open-store.js'
import type { ServerOptions } from '../options.js'
import { certificateReports } from './certificates.js'

export type Level = 'ok' | 'warn' | 'error'

export interface Finding {
  /** What was looked at: `disk`, `clock`. */
  readonly check: string
  readonly level: Level
  readonly message: string
  /** What to do; left out where nothing is to be done. */
  readonly advice?: string
}

/** What is asked of the machine; tests answer in its place. */
export interface Machine {
  now(): number
  readonly nodeVersion: string
  /** Bytes that are free for this user where a path is, and all bytes there. */
  disk(path: string): { readonly free: number; readonly size: number }
  /** The text of a file of /proc or /sys; undefined where there is none. */
  read(path: string): string | undefined
}

const gib = 1024 ** 3
const mib = 1024 ** 2
/** Of the server itself, which then refuses writes. */
const spareDisk = 16 * mib
const dayMs = 24 * 60 * 60 * 1000

export const thisMachine: Machine = {
  now: () => Date.now(),
  nodeVersion: process.versions.node,
  disk(path) {
    const { bavail, blocks, bsize } = statfsSync(path)
    return { free: bavail * bsize, size: blocks * bsize }
  },
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  }
}

/** Changes nothing; the server of the data folder may be running. */
export async function diagnose(options: ServerOptions, machine: Machine = thisMachine): Promise<Finding[]> {
  const lock = options.dataDir === undefined ? undefined : await lockOf(storeDirectory(options.dataDir))
  const isRunning = lock?.lives ?? false
  const found = [
    node(machine),
    await nativePackages(options),
    ...folder(options),
    ...lockFindings(lock),
    ...(await store(options, isRunning)),
    ...disk(options, machine),
    ...(await certificates(options, machine)),
    clock(options, machine),
    ...(await etcd(options, machine)),
    await port(options, isRunning),
    ...limits(machine),
    await fileEvents()
  ]
  return found.filter(finding => finding !== undefined)
}

const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message })
const warn = (check: string, message: string, advice: string): Finding => ({ check, level: 'warn', message, advice })
const error = (check: string, message: string, advice: string): Finding => ({ check, level: 'error', message, advice })

const shownBytes = (bytes: number) => (bytes >= gib ? `${(bytes / gib).toFixed(1)} GiB` : `${Math.floor(bytes / mib)} MiB`)

function node({ nodeVersion }: Machine): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const message = `Node ${nodeVersion}`
  if (major < 20 || (major === 20 && minor < 19)) return error('node', message, 'install Node 24; 20.19 is the oldest that works')
  return major < 22
    ? warn('node', message, 'install Node 24: it starts faster, and Node 20 gets no more fixes')
    : ok('node', message)
}

async function nativePackages(options: ServerOptions): Promise<Finding> {
  if (storageBackendOf(options) !== 'lmdb') return ok('packages', 'the storage backend needs no native package')
  const { assertBinding } = await import('../../storage/lmdb/directory.js')
  try {
    assertBinding()
    return ok('packages', 'the native package lmdb loads')
  } catch (cause) {
    return error('packages', (cause as Error).message, 'install the packages again on this machine: npm ci')
  }
}

function folder({ dataDir }: ServerOptions): Finding[] {
  if (dataDir === undefined) return []
  if (!existsSync(dataDir)) return [ok('folder', `${dataDir} is not there yet; the server makes it`)]
  const found: Finding[] = []
  try {
    checkDataDirectory(dataDir)
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause
    found.push(error('folder', cause.message, 'the server refuses to start until this is put right'))
  }
  const open = [dataDir, join(dataDir, 'pki'), storeDirectory(dataDir)].filter(isOpenToOthers)
  for (const path of open) found.push(warn('folder', `others may look into ${path}`, `chmod go-rwx ${path}`))
  for (const path of openKeys(join(dataDir, 'pki')))
    found.push(error('folder', `others may read the key ${path}`, `chmod 600 ${path}`))
  return found.length > 0 ? found : [ok('folder', `${dataDir} is this user's own`)]
}

/** Undefined for a path that is not there, or below one that may not be looked into. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** None for a folder that is not there, or may not be looked into. */
function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).map(name => join(directory, name))
  } catch {
    return []
  }
}

/** Windows has no modes of this sort. */
const isOpenToOthers = (path: string): boolean => {
  const stats = statOf(path)
  return process.platform !== 'win32' && stats !== undefined && (stats.mode & 0o077) !== 0
}

const openKeys = (pki: string): string[] => filesIn(pki).filter(path => path.endsWith('.key') && isOpenToOthers(path))

function lockFindings(lock: Awaited<ReturnType<typeof lockOf>>): Finding[] {
  if (!lock) return [ok('lock', 'no server runs on the folder, and the last one stopped in order')]
  if (lock.lives) return [ok('lock', `a server is running: ${lock.who}`)]
  return [
    warn(
      'lock',
      `the last server, ${lock.who}, was ended without being stopped`,
      'nothing is lost, for a write is acknowledged when it is on the disk; look in the log of the system for the reason (out of memory, power)'
    )
  ]
}

async function store({ dataDir, ...options }: ServerOptions, isRunning: boolean): Promise<Finding[]> {
  if (dataDir === undefined || storageBackendOf({ dataDir, ...options }) !== 'lmdb') return []
  const directory = storeDirectory(dataDir)
  if (!existsSync(join(directory, 'data.mdb'))) return [ok('store', 'there is no store yet')]
  if (isRunning) return [ok('store', 'not read, because a server writes to it; "binnacle check" reads a backup of it')]
  const [{ checkStore }, { checkValues }, { openLmdbStore }] = await Promise.all([
    import('../../storage/lmdb/check.js'),
    import('../maintenance/check-values.js'),
    import('../../storage/lmdb/store.js')
  ])
  const advice = 'restore a backup into another folder (binnacle restore), and keep this one'
  try {
    const { keys, revision, problems } = await checkStore(directory)
    const opened = await openLmdbStore({ directory, compactionInterval: 0 })
    const values = await checkValues(opened).finally(() => opened.close())
    const all = [...problems, ...values.problems]
    if (all.length === 0) return [ok('store', `${keys} keys at revision ${revision}, all of them readable`)]
    return all.map(problem => error('store', problem, advice))
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause
    return [error('store', cause.message, advice)]
  }
}

function disk({ dataDir }: ServerOptions, machine: Machine): Finding[] {
  if (dataDir === undefined || !existsSync(dataDir)) return []
  const { free, size } = machine.disk(dataDir)
  const stored = statOf(join(storeDirectory(dataDir), 'data.mdb'))?.size ?? 0
  const message = `${shownBytes(free)} of ${shownBytes(size)} are free where ${dataDir} is`
  if (free < spareDisk) return [error('disk', message, 'make room: writes are refused below 16 MiB')]
  if (free < Math.max(gib, stored))
    return [warn('disk', message, `make room: the store has ${shownBytes(stored)}, and grows before old history is removed`)]
  return [ok('disk', message)]
}

async function certificates(options: ServerOptions, { now }: Machine): Promise<Finding[]> {
  const reports = await certificateReports(options, { now: now(), within: 30 * dayMs })
  const bad = reports.filter(({ problems }) => problems.length > 0)
  if (bad.length === 0) return reports.length > 0 ? [ok('certificates', `${reports.length} certificates are valid`)] : []
  return bad.flatMap(({ source, problems }) =>
    problems.map(problem => {
      const advice = 'binnacle certificate check has the details; the server renews its own when it starts, and every day'
      return /^expires in/.test(problem)
        ? warn('certificates', `${source}: ${problem}`, advice)
        : error('certificates', `${source}: ${problem}`, advice)
    })
  )
}

/** Milliseconds by which clocks of sound machines may differ. */
const clockTolerance = 5000

/** A clock that was set back shows in files that were written later than it says. */
function clock({ dataDir }: ServerOptions, { now }: Machine): Finding {
  const files = dataDir === undefined ? [] : [storeDirectory(dataDir), join(dataDir, 'pki')].flatMap(filesIn)
  const newest = Math.max(0, ...files.map(path => statOf(path)?.mtimeMs ?? 0))
  const ahead = newest - now()
  if (now() < Date.UTC(2026, 0, 1))
    return error('clock', `it is ${iso(now())} by the clock`, 'set the clock, and let NTP keep it')
  return ahead > clockTolerance
    ? error(
        'clock',
        `files of the folder were written ${Math.round(ahead / 1000)} s after the clock's ${iso(now())}`,
        'set the clock, and let NTP keep it'
      )
    : ok('clock', `${iso(now())}, after everything in the folder`)
}

const iso = (time: number) => new Date(time).toISOString()

async function etcd(options: ServerOptions, machine: Machine): Promise<Finding[]> {
  if (storageBackendOf(options) !== 'etcd3') return []
  const { askEtcd } = await import('./etcd.js')
  return Promise.all(
    (options.etcdServers ?? []).map(async server => {
      try {
        const { theirs, latency } = await askEtcd(server, options)
        const differs = theirs === undefined ? 0 : Math.abs(theirs - machine.now())
        // its header has whole seconds
        if (differs > clockTolerance + 1000 + latency)
          return warn(
            'etcd',
            `${server}: its clock differs by ${Math.round(differs / 1000)} s`,
            'let NTP keep the clocks of both machines'
          )
        return ok('etcd', `${server} is healthy, and answered in ${latency} ms`)
      } catch (cause) {
        return error(
          'etcd',
          `${server}: ${(cause as Error).message}`,
          'see whether etcd runs, and --etcd-cafile, --etcd-certfile, --etcd-keyfile'
        )
      }
    })
  )
}

async function port(options: ServerOptions, isRunning: boolean): Promise<Finding | undefined> {
  const { securePort = 6443 } = options
  const host = bindAddressOf(options)
  if (securePort === 0) return undefined
  const code = await listenOnce(host, securePort)
  const what = `port ${securePort} on ${host}`
  if (code === undefined)
    return isRunning ? ok('port', `${what} is free; the server that runs has another one`) : ok('port', `${what} is free`)
  if (code === 'EADDRINUSE' && isRunning) return ok('port', `${what} is in use, and a server runs on the folder`)
  if (code === 'EADDRINUSE')
    return error('port', `${what} is in use`, `find by whom (ss -ltnp sport = :${securePort}), or give another --secure-port`)
  if (code === 'EACCES') return error('port', `${what} may not be used by this user`, 'give a --secure-port above 1023')
  if (code === 'EADDRNOTAVAIL') return error('port', `this machine does not have the address ${host}`, 'see --bind-address')
  return error('port', `${what}: ${code}`, 'see --bind-address and --secure-port')
}

const listenOnce = (host: string, port: number) =>
  new Promise<string | undefined>(resolve => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'it cannot be opened'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** The limits of this process, which are those of a server that is started in the same way. */
function limits(machine: Machine): Finding[] {
  const found: Finding[] = []
  const files = /^Max open files\s+(\d+|unlimited)/m.exec(machine.read('/proc/self/limits') ?? '')?.[1]
  if (files !== undefined) {
    const message = `${files} open files at most`
    const isLow = files !== 'unlimited' && Number(files) < 4096
    found.push(
      isLow
        ? warn('files', message, 'raise it (ulimit -n 65536, LimitNOFILE= of systemd): each connection takes one')
        : ok('files', message)
    )
  }
  const bound = Number(machine.read('/sys/fs/cgroup/memory.max') ?? machine.read('/sys/fs/cgroup/memory/memory.limit_in_bytes'))
  const heap = getHeapStatistics().heap_size_limit
  if (Number.isFinite(bound) && bound < 2 ** 50) {
    const message = `the control group allows ${shownBytes(bound)} of memory, and Node's heap may take ${shownBytes(heap)}`
    if (bound < 256 * mib)
      found.push(error('memory', message, `allow 256 MiB; ${docsPage('sizes')} says how much many objects take`))
    else if (heap > bound)
      found.push(
        warn(
          'memory',
          message,
          `keep the heap below the limit: NODE_OPTIONS=--max-old-space-size=${Math.floor((bound * 0.75) / mib)}`
        )
      )
    else found.push(ok('memory', message))
  } else found.push(ok('memory', `Node's heap may take ${shownBytes(heap)}`))
  return found
}

/** The server follows configuration files by events of the system (inotify on Linux), and without these looks once a minute. */
async function fileEvents(): Promise<Finding> {
  try {
    const watcher = watch(tmpdir())
    // an error may come later, too
    watcher.on('error', () => {})
    watcher.close()
    return ok('file events', 'changes of files are told at once')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    return warn(
      'file events',
      `files cannot be followed (${code}); the server looks once a minute`,
      'raise fs.inotify.max_user_instances and fs.inotify.max_user_watches'
    )
  }
}
