import type { KeyValue } from '../contract.js'

/** The position of a write in the log: its commit's revision and its index within that commit. */
export interface Position {
  readonly revision: number
  readonly sub: number
}

/**
 * The index entry of a key: its newest write. After a deletion, `createRevision` and `version` still describe the deleted value.
 */
export interface IndexEntry extends Position {
  readonly deleted: boolean
  readonly createRevision: number
  readonly version: number
}

/** One write in the log. */
export interface LogRecord extends IndexEntry {
  readonly key: string
  /** Empty for a deletion. */
  readonly value: Buffer
  /** The key's previous write; revision 0 when there is none. */
  readonly previous: Position
}

const entrySize = 21
const headerSize = 23

export const nowhere: Position = { revision: 0, sub: 0 }

/** 48 bits of revision and 16 bits of index, big-endian: byte order is the order of the writes. */
export const encodePosition = ({ revision, sub }: Position): Buffer => putPosition(Buffer.allocUnsafe(8), revision, sub, 0)

const putPosition = (target: Buffer, revision: number, sub: number, offset: number): Buffer => {
  target.writeUIntBE(revision, offset, 6)
  target.writeUInt16BE(sub, offset + 6)
  return target
}

export const decodePosition = (bytes: Buffer, offset = 0): Position => ({
  revision: bytes.readUIntBE(offset, 6),
  sub: bytes.readUInt16BE(offset + 6)
})

export const encodeEntry = (entry: IndexEntry): Buffer => {
  const bytes = Buffer.allocUnsafe(entrySize)
  bytes.writeUInt8(entry.deleted ? 1 : 0, 0)
  bytes.writeUIntBE(entry.createRevision, 1, 6)
  bytes.writeUIntBE(entry.version, 7, 6)
  return putPosition(bytes, entry.revision, entry.sub, 13)
}

export const decodeEntry = (bytes: Buffer): IndexEntry => ({
  deleted: bytes[0] === 1,
  createRevision: bytes.readUIntBE(1, 6),
  version: bytes.readUIntBE(7, 6),
  revision: bytes.readUIntBE(13, 6),
  sub: bytes.readUInt16BE(19)
})

/** Most records are assembled in this buffer. */
const room = Buffer.allocUnsafeSlow(64 * 1024)

/** The returned buffer is valid until the next call: within a transaction, LMDB copies a value as soon as it receives it. */
export const encodeRecord = (entry: IndexEntry, previous: Position, key: Buffer, value: Buffer | undefined): Buffer => {
  const length = headerSize + key.length + (value?.length ?? 0)
  const bytes = length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafe(length)
  bytes.writeUInt8(entry.deleted ? 1 : 0, 0)
  bytes.writeUIntBE(entry.createRevision, 1, 6)
  bytes.writeUIntBE(entry.version, 7, 6)
  putPosition(bytes, previous.revision, previous.sub, 13)
  bytes.writeUInt16BE(key.length, 21)
  key.copy(bytes, headerSize)
  value?.copy(bytes, headerSize + key.length)
  return bytes
}

/** `length`: of a buffer whose own length is larger. */
export const decodeRecord = ({ revision, sub }: Position, bytes: Buffer, length = bytes.length): LogRecord => {
  const valueStart = headerSize + bytes.readUInt16BE(21)
  return {
    revision,
    sub,
    deleted: bytes[0] === 1,
    createRevision: bytes.readUIntBE(1, 6),
    version: bytes.readUIntBE(7, 6),
    previous: decodePosition(bytes, 13),
    key: bytes.toString('utf8', headerSize, valueStart),
    value: bytes.subarray(valueStart, length)
  }
}

export const toKeyValue = ({ key, value, createRevision, revision, version }: LogRecord): KeyValue => ({
  key,
  value,
  createRevision,
  modRevision: revision,
  version
})
