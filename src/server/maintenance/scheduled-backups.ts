/** Backups of the data folder at the times of a schedule: --backup-schedule, --backup-folder, --backup-keep. */
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type NextTime, timesOf } from '../../controllers/workloads/cronjob/times.js'
import { scheduleError } from '../../kinds/batch/cron-schedule.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { UserError } from '../../util/user-error.js'
import { storageBackendOf } from '../defaults.js'
import type { ServerOptions } from '../options.js'
import { backup } from './backup.js'

interface Needs {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

const usualKeep = 7
const dayMs = 24 * 60 * 60 * 1000

const namePattern = /^binnacle-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/
/** What a backup is called while it grows, and while it is removed. */
const partialPattern = /^\.binnacle-\d{8}T\d{6}Z\./

/** `binnacle-20260101T030000Z`, so that names are in the order of the times. */
const nameAt = (time: number) => `binnacle-${new Date(time).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}`

function timeOf(name: string): number {
  const [, ...parts] = namePattern.exec(name)!
  const [year, month, day, hour, minute, second] = parts.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

/** Returns no part for a server without a schedule. Throws a UserError for options that do not fit together. */
export function scheduledBackups(options: ServerOptions, needs: Needs): Part[] {
  const settings = backupSettings(options)
  return settings ? [new ScheduledBackups(settings, needs)] : []
}

/** Throws a UserError for options that do not fit together. */
export function backupSettings(options: ServerOptions): Settings | undefined {
  const { dataDir, backupSchedule, backupFolder: folder, backupKeep: keep = usualKeep } = options
  if (!backupSchedule) {
    if (folder) throw new UserError('--backup-folder needs --backup-schedule: when to make backups')
    return undefined
  }
  if (!folder) throw new UserError('--backup-schedule needs --backup-folder: where to keep the backups')
  if (dataDir === undefined || storageBackendOf(options) !== 'lmdb' || options.store)
    throw new UserError('--backup-schedule is for --storage-backend=lmdb; "etcdctl snapshot save" backs up what is in etcd')
  return { dataDir, folder, keep, next: nextTimeOf(backupSchedule) }
}

/** Programs give the text unread. */
function nextTimeOf(text: string): NextTime {
  const problem = scheduleError(text)
  if (problem !== undefined) throw new UserError(`--backup-schedule ${JSON.stringify(text)}: ${problem}`)
  return timesOf(text)
}

interface Settings {
  readonly dataDir: string
  readonly folder: string
  /** How many backups stay. */
  readonly keep: number
  readonly next: NextTime
}

class ScheduledBackups implements Part {
  readonly name = 'scheduled backups'
  readonly #settings: Settings
  readonly #needs: Needs
  readonly #results
  readonly #last
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #unwatch: (() => void) | undefined

  constructor(settings: Settings, needs: Needs) {
    this.#settings = settings
    this.#needs = needs
    const { metrics } = needs
    this.#results = metrics.counter({
      name: 'binnacle_scheduled_backups_total',
      help: 'Backups that the schedule has begun, by whether they succeeded.',
      labels: ['result'],
      stage: 'ALPHA'
    })
    this.#last = metrics.gauge({
      name: 'binnacle_scheduled_backup_last_success_timestamp_seconds',
      help: 'When the newest backup in the folder of backups was made, in seconds since 1970; 0 without one.',
      stage: 'ALPHA'
    })
    // so that a rate can be seen from the first failure on
    for (const result of ['success', 'failure']) this.#results.of(result).add(0)
    this.#last.of().set(0)
  }

  async start(): Promise<void> {
    this.#unwatch = this.#needs.clock.watchWork?.(() => this.#running !== undefined)
    const newest = (await this.#present()).at(-1)
    if (newest !== undefined) this.#last.of().set(timeOf(newest) / 1000)
    this.#wait()
  }

  /** Waits for a backup that is being made. */
  async stop(): Promise<void> {
    this.#timer?.cancel()
    await this.#running
    this.#unwatch?.()
  }

  #wait(): void {
    const { clock, log } = this.#needs
    const now = clock.now()
    const time = this.#settings.next(now)
    if (time === undefined) return log.warn('--backup-schedule has no time within five years')
    this.#timer = clock.setTimeout(() => {
      // a clock that jumps over several times asks for one backup
      this.#running ??= this.#make().finally(() => (this.#running = undefined))
      this.#wait()
    }, time - now)
  }

  async #make(): Promise<void> {
    const { dataDir, folder } = this.#settings
    const { clock, log } = this.#needs
    const name = nameAt(clock.now())
    try {
      await backup(dataDir, join(folder, name), { flag: '--backup-folder' })
      this.#results.of('success').add()
      this.#last.of().set(timeOf(name) / 1000)
      log.info('Made a backup', { folder: join(folder, name) })
    } catch (error) {
      this.#results.of('failure').add()
      return log.error(`the scheduled backup failed: ${error instanceof Error ? error.message : error}`)
    }
    await this.#removeOld().catch(error => log.error(`removing old backups failed: ${error.message}`))
  }

  /** The names of the backups, the oldest first. */
  async #present(): Promise<string[]> {
    const { folder } = this.#settings
    return existsSync(folder) ? (await readdir(folder)).filter(name => namePattern.test(name)).sort() : []
  }

  async #removeOld(): Promise<void> {
    const { folder, keep } = this.#settings
    const old = (await this.#present()).slice(0, -keep)
    for (const name of old) {
      // under another name first: what is half removed must not look like a backup
      const leaving = join(folder, `.${name}.old`)
      await rename(join(folder, name), leaving)
      await rm(leaving, { recursive: true, force: true })
    }
    await this.#removePartial()
  }

  /** Removes what a process that was killed has left. A server beside this one may be making what is younger. */
  async #removePartial(): Promise<void> {
    const { folder } = this.#settings
    for (const name of (await readdir(folder)).filter(one => partialPattern.test(one))) {
      const { mtimeMs } = await stat(join(folder, name))
      if (Date.now() - mtimeMs > dayMs) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}
