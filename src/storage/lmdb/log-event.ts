import type { KeyValue, StoreEvent } from '../contract.js'
import { type LogRecord, type Position, toKeyValue } from './codec.js'
import type { Database } from './database.js'

/** An event that reads `previous` from the log on demand, because most watchers hold that state themselves. */
export class LogEvent implements StoreEvent {
  readonly type: 'put' | 'delete'
  readonly key: string
  readonly current: KeyValue | undefined
  readonly revision: number
  readonly attachment: unknown
  readonly #database: Database
  #before: Position | undefined
  #previous: KeyValue | undefined

  constructor(
    database: Database,
    key: string,
    current: KeyValue | undefined,
    revision: number,
    before: Position,
    attachment: unknown
  ) {
    this.type = current === undefined ? 'delete' : 'put'
    this.key = key
    this.current = current
    this.revision = revision
    this.attachment = attachment
    this.#database = database
    this.#before = before
  }

  static replayed(database: Database, record: LogRecord, attachment?: unknown): LogEvent {
    return new LogEvent(
      database,
      record.key,
      record.deleted ? undefined : toKeyValue(record),
      record.revision,
      record.previous,
      attachment
    )
  }

  get previous(): KeyValue | undefined {
    if (this.#before !== undefined && this.#database.isOpen) {
      const record = this.#database.record(this.#before)
      this.#previous = record === undefined || record.deleted ? undefined : toKeyValue(record)
    }
    this.#before = undefined
    return this.#previous
  }
}
