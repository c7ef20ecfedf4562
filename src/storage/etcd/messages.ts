/**
 * The few messages of etcd's gRPC API that the store needs (https://etcd.io/docs/v3.4/learning/api/). They are read and written
 * by hand: keys and values stay Buffers, and revisions are numbers.
 */
import { Reader, wireBytes, wireVarint } from '../../util/protobuf/reader.js'
import { ReverseWriter } from '../../util/protobuf/writer.js'
import type { KeyValue } from '../contract.js'

export interface RangeRequest {
  readonly key: Buffer
  /** Exclusive. Without it, the range is the one key. */
  readonly rangeEnd?: Buffer | undefined
  readonly limit?: number | undefined
  readonly revision?: number | undefined
  readonly countOnly?: boolean
}

export interface RangeResponse {
  readonly revision: number
  readonly items: KeyValue[]
  readonly count: number
}

/** A condition of a transaction: the key has this version, or this modification revision, or (undefined) any revision except 0. */
export type Condition = { readonly key: Buffer } & ({ readonly modRevision: number | undefined } | { readonly version: number })

export interface TxnRequest {
  readonly conditions: readonly Condition[]
  /** A write without a value deletes the key. */
  readonly writes: readonly { readonly key: Buffer; readonly value: Buffer | undefined; readonly lease?: number | undefined }[]
  /** Keys to read when a condition does not hold. */
  readonly otherwise: readonly Buffer[]
}

export interface TxnResponse {
  readonly revision: number
  readonly succeeded: boolean
  /** The results of reading the keys of `otherwise`, in that order; undefined for a missing key. */
  readonly read: (KeyValue | undefined)[]
  /** How many keys the deletions have found. */
  readonly deleted: number
}

export interface EtcdEvent {
  readonly deleted: boolean
  readonly current: KeyValue
  readonly previous: KeyValue | undefined
}

export interface WatchResponse {
  readonly revision: number
  readonly created: boolean
  readonly canceled: boolean
  /** Not 0 when the watch was cancelled because its start has been compacted: the compaction's revision. */
  readonly compactRevision: number
  readonly cancelReason: string
  readonly events: EtcdEvent[]
}

// Messages are written from back to front, so fields are in descending order.
const writer = new ReverseWriter()

function bytesField(number: number, value: Uint8Array | undefined): void {
  if (value === undefined) return
  writer.bytes(value)
  writer.varint(value.length)
  writer.varint((number << 3) | wireBytes)
}

function integerField(number: number, value: number | undefined): void {
  if (value === undefined) return
  writer.varint(value)
  writer.varint((number << 3) | wireVarint)
}

function messageField(number: number, write: () => void): void {
  const before = writer.written
  write()
  writer.lengthSince(before)
  writer.varint((number << 3) | wireBytes)
}

function encoded(write: () => void): Buffer {
  writer.clear()
  write()
  return writer.take()
}

function range({ key, rangeEnd, limit, revision, countOnly }: RangeRequest): void {
  if (countOnly) integerField(9, 1)
  integerField(4, revision)
  integerField(3, limit)
  bytesField(2, rangeEnd)
  bytesField(1, key)
}

export const encodeRange = (request: RangeRequest): Buffer => encoded(() => range(request))

const greater = 1
const modRevisionTarget = 2

export const encodeTxn = ({ conditions, writes, otherwise }: TxnRequest): Buffer =>
  encoded(() => {
    for (const key of otherwise.toReversed()) messageField(3, () => messageField(1, () => range({ key })))
    for (const { key, value, lease } of writes.toReversed()) {
      messageField(2, () =>
        messageField(value === undefined ? 3 : 2, () => {
          if (value !== undefined) integerField(3, lease)
          bytesField(2, value)
          bytesField(1, key)
        })
      )
    }
    for (const condition of conditions.toReversed()) {
      messageField(1, () => {
        if ('version' in condition) {
          integerField(4, condition.version)
          return bytesField(3, condition.key)
        }
        const { key, modRevision } = condition
        integerField(6, modRevision ?? 0)
        bytesField(3, key)
        integerField(2, modRevisionTarget)
        if (modRevision === undefined) integerField(1, greater)
      })
    }
  })

/** Encodes the grant of a lease with an id of our choice. `ttl` is in seconds. */
export const encodeLeaseGrant = (id: number, ttl: number): Buffer =>
  encoded(() => {
    integerField(2, id)
    integerField(1, ttl)
  })

/** Returns the id of the granted lease, which is not ours where the server has its own. */
export function decodeLeaseGrant(bytes: Buffer): number {
  const reader = new Reader(bytes)
  let id = 0
  fields(reader, 'LeaseGrantResponse', number => {
    if (number !== 2) return false
    id = reader.int64()
    return true
  })
  return id
}

export const encodeCompaction = (revision: number): Buffer => encoded(() => integerField(1, revision))

/** Encodes a watch of a range of keys from a revision on, with the previous values. */
export const encodeWatch = (key: Buffer, rangeEnd: Buffer, startRevision: number): Buffer =>
  encoded(() =>
    messageField(1, () => {
      integerField(6, 1)
      integerField(3, startRevision)
      bytesField(2, rangeEnd)
      bytesField(1, key)
    })
  )

/**
 * Calls `field` with the number of each field; `field` reads the value and returns true, or returns false for an unknown field.
 */
function fields(reader: Reader, message: string, field: (number: number) => boolean): void {
  while (!reader.done) {
    if (!field(reader.tag(message))) reader.skip()
  }
}

function header(reader: Reader): number {
  let revision = 0
  reader.message(() =>
    fields(reader, 'ResponseHeader', number => {
      if (number !== 3) return false
      revision = reader.int64()
      return true
    })
  )
  return revision
}

const noValue: Buffer = Buffer.alloc(0)

function keyValue(reader: Reader): KeyValue {
  let [key, value, createRevision, modRevision, version] = ['', noValue, 0, 0, 0]
  reader.message(() =>
    fields(reader, 'KeyValue', number => {
      if (number === 1) key = reader.string()
      else if (number === 2) createRevision = reader.int64()
      else if (number === 3) modRevision = reader.int64()
      else if (number === 4) version = reader.int64()
      else if (number === 5) value = reader.bytes()
      else return false
      return true
    })
  )
  return { key, value, createRevision, modRevision, version }
}

function rangeResponse(reader: Reader): RangeResponse {
  let [revision, count] = [0, 0]
  const items: KeyValue[] = []
  fields(reader, 'RangeResponse', number => {
    if (number === 1) revision = header(reader)
    else if (number === 2) items.push(keyValue(reader))
    else if (number === 4) count = reader.int64()
    else return false
    return true
  })
  return { revision, items, count }
}

export const decodeRange = (bytes: Buffer): RangeResponse => rangeResponse(new Reader(bytes))

/** A part of the answer to RangeStream. Revision and count are those of the last part; all others have none. */
export function decodeRangePart(bytes: Buffer): RangeResponse {
  const reader = new Reader(bytes)
  let part: RangeResponse = { revision: 0, items: [], count: 0 }
  fields(reader, 'RangeStreamResponse', number => {
    if (number !== 1) return false
    part = reader.message(() => rangeResponse(reader))
    return true
  })
  return part
}

export function decodeTxn(bytes: Buffer): TxnResponse {
  const reader = new Reader(bytes)
  let revision = 0
  let succeeded = false
  let deleted = 0
  const read: (KeyValue | undefined)[] = []
  fields(reader, 'TxnResponse', number => {
    if (number === 1) revision = header(reader)
    else if (number === 2) succeeded = reader.bool()
    else if (number === 3) {
      reader.message(() =>
        fields(reader, 'ResponseOp', kind => {
          if (kind === 1) read.push(reader.message(() => rangeResponse(reader)).items[0])
          else if (kind === 3) deleted += reader.message(() => deletedIn(reader))
          else return false
          return true
        })
      )
    } else return false
    return true
  })
  return { revision, succeeded, read, deleted }
}

function deletedIn(reader: Reader): number {
  let deleted = 0
  fields(reader, 'DeleteRangeResponse', number => {
    if (number !== 2) return false
    deleted = reader.int64()
    return true
  })
  return deleted
}

function event(reader: Reader): EtcdEvent {
  let deleted = false
  let current: KeyValue | undefined
  let previous: KeyValue | undefined
  reader.message(() =>
    fields(reader, 'Event', number => {
      if (number === 1) deleted = reader.int32() === 1
      else if (number === 2) current = keyValue(reader)
      else if (number === 3) previous = keyValue(reader)
      else return false
      return true
    })
  )
  if (!current) throw new Error('etcd sent an event without a key')
  return { deleted, current, previous }
}

export function decodeWatch(bytes: Buffer): WatchResponse {
  const reader = new Reader(bytes)
  let [revision, created, canceled, compactRevision, cancelReason] = [0, false, false, 0, '']
  const events: EtcdEvent[] = []
  fields(reader, 'WatchResponse', number => {
    if (number === 1) revision = header(reader)
    else if (number === 3) created = reader.bool()
    else if (number === 4) canceled = reader.bool()
    else if (number === 5) compactRevision = reader.int64()
    else if (number === 6) cancelReason = reader.string()
    else if (number === 11) events.push(event(reader))
    else return false
    return true
  })
  return { revision, created, canceled, compactRevision, cancelReason, events }
}

/** The bytes that the server's database has on its disk, from a StatusResponse. */
export function decodeStatus(bytes: Buffer): number {
  const reader = new Reader(bytes)
  let size = 0
  fields(reader, 'StatusResponse', number => {
    if (number !== 3) return false
    size = Number(reader.int64())
    return true
  })
  return size
}

export const decodeNothing = (): undefined => undefined
