/** Backups of the data folder at the times of a schedule: --backup-schedule, --backup-folder or --backup-bucket, --backup-keep. */
import { type NextTime, timesOf } from '../../controllers/workloads/cronjob/times.js'
import { scheduleError } from '../../kinds/batch/cron-schedule.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { UserError } from '../../util/user-error.js'
import { storageBackendOf } from '../defaults.js'
import type { ServerOptions } from '../options.js'
import { nameAt, timeOf } from './backup-names.js'
import type { BackupPlace } from './backup-place.js'
import { bucketAddress } from './bucket.js'
import { BucketPlace } from './bucket-place.js'
import { FolderPlace } from './folder-place.js'

interface Needs {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

const usualKeep = 7

/** Returns no part for a server without a schedule. Throws a UserError for options that do not fit together. */
export function scheduledBackups(options: ServerOptions, needs: Needs): Part[] {
  const settings = backupSettings(options)
  return settings ? [new ScheduledBackups(settings, needs)] : []
}

/** Throws a UserError for options that do not fit together. */
export function backupSettings(options: ServerOptions): Settings | undefined {
  const { dataDir, backupSchedule, backupFolder: folder, backupBucket, backupKeep: keep = usualKeep } = options
  const bucket = backupBucket === undefined ? undefined : bucketAddress(backupBucket, '--backup-bucket')
  if (!backupSchedule) {
    const flag = folder ? '--backup-folder' : bucket && '--backup-bucket'
    if (flag) throw new UserError(`${flag} needs --backup-schedule: when to make backups`)
    return undefined
  }
  if (folder && bucket) throw new UserError('--backup-bucket excludes --backup-folder: backups are kept in one place')
  if (!folder && !bucket)
    throw new UserError('--backup-schedule needs --backup-folder or --backup-bucket: where to keep the backups')
  if (dataDir === undefined || storageBackendOf(options) !== 'lmdb' || options.store)
    throw new UserError('--backup-schedule is for --storage-backend=lmdb; "etcdctl snapshot save" backs up what is in etcd')
  const place = bucket ? new BucketPlace(dataDir, bucket) : new FolderPlace(dataDir, folder!)
  return { place, keep, next: nextTimeOf(backupSchedule) }
}

/** Programs give the text unread. */
function nextTimeOf(text: string): NextTime {
  const problem = scheduleError(text)
  if (problem !== undefined) throw new UserError(`--backup-schedule ${JSON.stringify(text)}: ${problem}`)
  return timesOf(text)
}

interface Settings {
  readonly place: BackupPlace
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
  #looking: Promise<void> | undefined
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
    await this.#settings.place.check()
    this.#unwatch = this.#needs.clock.watchWork?.(() => this.#running !== undefined)
    // the server does not wait for a bucket
    this.#looking = this.#lookForNewest()
    this.#wait()
  }

  async #lookForNewest(): Promise<void> {
    try {
      const newest = (await this.#settings.place.present()).at(-1)
      if (newest !== undefined) this.#last.of().set(timeOf(newest) / 1000)
    } catch (error) {
      this.#needs.log.error(`looking for backups failed: ${(error as Error).message}`)
    }
  }

  /** Waits for a backup that is being made, unless that takes long. */
  async stop(): Promise<void> {
    this.#timer?.cancel()
    this.#settings.place.stop()
    await this.#looking
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
    const { place, keep } = this.#settings
    const { clock, log } = this.#needs
    const name = nameAt(clock.now())
    try {
      const made = await place.make(name)
      this.#results.of('success').add()
      this.#last.of().set(timeOf(name) / 1000)
      log.info('Made a backup', { backup: made })
    } catch (error) {
      this.#results.of('failure').add()
      return log.error(`the scheduled backup failed: ${error instanceof Error ? error.message : error}`)
    }
    try {
      for (const old of (await place.present()).slice(0, -keep)) await place.remove(old)
      await place.tidy()
    } catch (error) {
      log.error(`removing old backups failed: ${(error as Error).message}`)
    }
  }
}
