/**
 * Snapshots in files. The first line says what the file is, then there is a line for each stored key, and the last line has their number and a
 * digest of all lines before it: a file that was cut short or changed by hand is refused.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { KeyValue, Store, StoreImage } from '../storage/contract.js'
import { memoryStoreFrom } from '../storage/memory/store.js'
import { writeFileAtomically } from '../transport/certificates/pki-files.js'
import type { Clock } from '../util/clock.js'
import { isObject } from '../util/json.js'
import { fileError, UserError } from '../util/user-error.js'

const format = 'binnacle snapshot'
const version = 1
const pageSize = 500

/** Writes what a store holds, so that only the owner of the file may read it. Rejects with a UserError where the file cannot be written. */
export async function saveImage(image: StoreImage, path: string): Promise<void> {
  const store = await image.open()
  try {
    await writeFileAtomically(path, linesOf(store), 0o600)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code ? fileError(path, error) : error
  } finally {
    await store.close()
  }
}

async function* linesOf(store: Store): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const line = (value: unknown) => {
    // readers of lines end one at these characters, too
    const text = `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
    digest.update(text)
    return text
  }
  const revision = await store.currentRevision()
  yield line({ format, version, revision })
  let keys = 0
  for (let start: string | undefined = ''; start !== undefined; ) {
    const { items, more }: { items: KeyValue[]; more: boolean } = await store.list(`${store.root}/`, {
      revision,
      limit: pageSize,
      start
    })
    keys += items.length
    yield items.map(item => line(recordOf(item))).join('')
    start = more ? `${items.at(-1)!.key}\0` : undefined
  }
  yield `${JSON.stringify({ keys, sha256: digest.digest('hex') })}\n`
}

/** A value is text, or base64 in an object where it is none, such as an encrypted one. */
type Value = string | { readonly base64: string }

function recordOf({ key, value, createRevision, modRevision, version }: KeyValue): unknown[] {
  const text = value.toString('utf8')
  const stored: Value = Buffer.from(text, 'utf8').equals(value) ? text : { base64: value.toString('base64') }
  return [key, createRevision, modRevision, version, stored]
}

/** Opens a store in memory that goes on from a file. Rejects with a UserError for a file that is none, broken, or of a newer version. */
export async function openSaved(path: string, clock: Clock): Promise<Store> {
  const digest = createHash('sha256')
  const broken = (why: string) => new UserError(`the snapshot ${path} is broken: ${why}`)
  const keys: KeyValue[] = []
  let revision: number | undefined
  let end: { keys?: unknown; sha256?: unknown } | undefined
  const input = createReadStream(path)
  const failed = new Promise<never>((_, reject) => input.once('error', error => reject(fileError(path, error))))
  failed.catch(() => {})
  const read = async () => {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const value = parsed(line)
      if (revision === undefined) revision = revisionOf(value, path)
      else if (end) throw broken('something follows its last line')
      else if (isObject(value)) {
        end = value
        continue
      } else keys.push(keyOf(value, revision) ?? fail(broken(`the line of key ${keys.length + 1} cannot be read`)))
      digest.update(`${line}\n`)
    }
  }
  try {
    await Promise.race([read(), failed])
  } finally {
    input.destroy()
  }
  if (revision === undefined) throw new UserError(`${path} is no snapshot: it is empty`)
  if (!end) throw broken('its end is missing')
  if (end.keys !== keys.length || end.sha256 !== digest.digest('hex')) throw broken('it is not as it was written')
  return memoryStoreFrom(keys, revision, { clock })
}

function revisionOf(head: unknown, path: string): number {
  if (!isObject(head) || head.format !== format) throw new UserError(`${path} is no snapshot: save makes one`)
  if (head.version !== version)
    throw new UserError(
      `the snapshot ${path} has version ${head.version} of the format; this version of Binnacle reads ${version}`
    )
  if (!isRevision(head.revision)) throw new UserError(`the snapshot ${path} is broken: it has no revision`)
  return head.revision
}

const isRevision = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

function keyOf(record: unknown, last: number): KeyValue | undefined {
  if (!Array.isArray(record) || record.length !== 5) return undefined
  const [key, createRevision, modRevision, version, stored] = record
  if (typeof key !== 'string' || ![createRevision, modRevision, version].every(isRevision) || modRevision > last) return undefined
  const value = bytesOf(stored)
  return value && { key, value, createRevision, modRevision, version }
}

function bytesOf(stored: unknown): Buffer | undefined {
  if (typeof stored === 'string') return Buffer.from(stored, 'utf8')
  return isObject(stored) && typeof stored.base64 === 'string' ? Buffer.from(stored.base64, 'base64') : undefined
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function fail(error: Error): never {
  throw error
}
