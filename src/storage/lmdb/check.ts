/** Checks that the index and the log of a store agree, and that the log is a history. */
import { noProgress } from '../../util/progress.js'
import { nextTurn, startSlice } from '../../util/turns.js'
import { nowhere, type Position } from './codec.js'
import { Database } from './database.js'

export interface StoreCheck {
  readonly keys: number
  /** Writes in the log. */
  readonly writes: number
  readonly revision: number
  /** What does not agree: a line each, the first of them only. */
  readonly problems: readonly string[]
}

const mostProblems = 100

const shown = ({ revision, sub }: Position) => `${revision}/${sub}`
const same = (a: Position, b: Position) => a.revision === b.revision && a.sub === b.sub

/** `progress` is told keys and writes. Rejects with StoreUnavailableError when the folder is in use, foreign, or of a newer format. */
export async function checkStore(directory: string, progress = noProgress): Promise<StoreCheck> {
  const database = await Database.open(directory)
  const problems: string[] = []
  const report = (problem: string) => problems.length < mostProblems && problems.push(problem)
  try {
    const of = database.entryCount()
    const keys = await checkIndex(database, report, done => progress(done, of))
    const writes = await checkLog(database, report, done => progress(keys + done, of))
    return { keys, writes, revision: database.lastRevision() ?? 1, problems }
  } finally {
    await database.close()
  }
}

/** Every key has its newest write, or "deleted", in the log. */
async function checkIndex(database: Database, report: (problem: string) => void, tell: (done: number) => void): Promise<number> {
  let keys = 0
  let sliceIsOver = startSlice()
  for (const { key, entry } of database.entries(Buffer.alloc(0), undefined)) {
    keys++
    const record = database.record(entry)
    const name = key.toString()
    if (!record) report(`${name}: its newest write, ${shown(entry)}, is not in the log`)
    else if (record.key !== name) report(`${name}: its newest write, ${shown(entry)}, is one of ${record.key}`)
    else if (
      record.deleted !== entry.deleted ||
      record.version !== entry.version ||
      record.createRevision !== entry.createRevision
    )
      report(`${name}: the index and the log describe its newest write, ${shown(entry)}, differently`)
    if (!sliceIsOver()) continue
    tell(keys)
    await nextTurn()
    sliceIsOver = startSlice()
  }
  return keys
}

/** Every write of the log follows the one that it names, and none is newer than what the index has. */
async function checkLog(database: Database, report: (problem: string) => void, tell: (done: number) => void): Promise<number> {
  let writes = 0
  let sliceIsOver = startSlice()
  const swept = database.sweptRevision
  for (const record of database.records(0, (database.lastRevision() ?? 1) + 1)) {
    writes++
    const name = `${record.key} at ${shown(record)}`
    const entry = database.entry(record.key)
    if (!entry) report(`${name}: the key is not in the index`)
    else if (entry.revision < record.revision || (entry.revision === record.revision && entry.sub < record.sub))
      report(`${name}: the index has an older write, ${shown(entry)}`)
    const { previous } = record
    if (previous.revision > record.revision || (!same(previous, nowhere) && same(previous, record)))
      report(`${name}: it follows ${shown(previous)}, which is not older`)
    else if (previous.revision > 0 && record.revision >= swept && record.revision > database.floors.of(record.key)) {
      const before = database.record(previous)
      // compaction removes a deletion before the creation that follows it
      const beginsLife = !record.deleted && record.version === 1
      if (!before && !beginsLife) report(`${name}: the write before it, ${shown(previous)}, is not in the log`)
      else if (before && before.key !== record.key)
        report(`${name}: the write before it, ${shown(previous)}, is one of ${before.key}`)
      else if (before && !record.deleted && record.version !== (before.deleted ? 1 : before.version + 1))
        report(`${name}: its version is ${record.version}, after ${before.version}`)
    }
    if (!sliceIsOver()) continue
    tell(writes)
    await nextTurn()
    sliceIsOver = startSlice()
  }
  return writes
}
