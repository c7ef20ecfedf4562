/** The settings with which the processes of a server begin. */
import { availableParallelism } from 'node:os'
import { UserError } from '../../util/user-error.js'
import type { ServerOptions } from '../options.js'

/** What a worker is told when it starts, as far as it can be sent to another process. */
export interface WorkerSettings {
  readonly options: ServerOptions
  /** The folder of the embedded store to which the first process writes; undefined with etcd. */
  readonly storeDirectory: string | undefined
  /** The number of the worker, from 1 on. */
  readonly number: number
}

/** The number that stands for `auto`. */
export const auto = 0
/** The most processes that `auto` stands for. More have not been measured, and each has caches of its own. */
const mostByItself = 8

/** Returns why a server with these options must be one process; undefined when it can have several. */
function obstacle({ storageBackend, testApi, history }: ServerOptions): string | undefined {
  if (process.platform === 'win32') return 'processes can share a port on Linux and macOS only'
  if (storageBackend === 'memory')
    return 'objects in the memory of one process cannot be seen by others; use --storage-backend=lmdb or etcd3'
  if (testApi) return '--test-api stops the clock and restores snapshots in one process'
  if (history && storageBackend === 'etcd3')
    return '--history is kept by one process; with --storage-backend=lmdb, that is the first one'
  return undefined
}

/** Returns how many processes serve. Throws a UserError for options that need a single one. */
export function processesOf(workers: number, options: ServerOptions): number {
  const why = obstacle(options)
  if (workers === auto) return why === undefined ? Math.min(availableParallelism(), mostByItself) : 1
  if (workers > 1 && why !== undefined) throw new UserError(`--workers=${workers}: ${why}`)
  return workers
}

/** Returns the limits for one process of several: those of the server, divided. */
export function shareOf(options: ServerOptions, processes: number): ServerOptions {
  const part = (value: number | undefined, usual: number) => Math.ceil((value ?? usual) / processes)
  return {
    ...options,
    maxRequestsInflight: part(options.maxRequestsInflight, 400),
    maxMutatingRequestsInflight: part(options.maxMutatingRequestsInflight, 200),
    auditWebhookBatchThrottleQPS: (options.auditWebhookBatchThrottleQPS ?? 10) / processes,
    auditWebhookBatchThrottleBurst: part(options.auditWebhookBatchThrottleBurst, 15)
  }
}
