/**
 * What a worker and the process that writes say to each other, over a pipe between the two. A frame is its length (four bytes, of what
 * follows), its type (one byte) and its content. Numbers are little-endian; revisions are doubles.
 *
 * Each question of the worker has a number. The writer answers in any order. It announces new revisions without being asked; a revision
 * announced before an answer is older than the answer.
 */
import type { Caller, Write } from '../contract.js'

/** Bytes of one frame. Requests have at most three megabytes, and the objects of one commit not much more. */
export const maxFrameBytes = 64 * 1024 * 1024

const types = { commit: 1, compact: 2, check: 3, revision: 4, done: 5, refused: 6, failed: 7 } as const

/** What a worker asks for. */
export type Question =
  | { readonly type: 'commit'; readonly id: number; readonly writes: readonly Write[]; readonly user: Caller['user'] }
  | { readonly type: 'compact'; readonly id: number; readonly revision: number }
  | { readonly type: 'check'; readonly id: number }

/** What the writer says. */
export type Told =
  /** The newest durable revision. */
  | { readonly type: 'revision'; readonly revision: number }
  /** It has happened. `revision`: of the commit, or the newest one. */
  | { readonly type: 'done'; readonly id: number; readonly revision: number }
  /** The condition of one of the writes did not hold. */
  | { readonly type: 'refused'; readonly id: number; readonly write: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }

const headBytes = 5
const has = { value: 1, expected: 2, ttl: 4 }

function frame(type: keyof typeof types, length: number): Buffer {
  if (length > maxFrameBytes) throw new RangeError(`a commit has at most ${maxFrameBytes} bytes`)
  const bytes = Buffer.allocUnsafe(headBytes + length)
  bytes.writeUInt32LE(1 + length, 0)
  bytes.writeUInt8(types[type], 4)
  return bytes
}

function numbered(type: 'done' | 'refused' | 'compact' | 'check', id: number, number = 0): Buffer {
  const bytes = frame(type, 12)
  bytes.writeUInt32LE(id, headBytes)
  bytes.writeDoubleLE(number, headBytes + 4)
  return bytes
}

const textBytes = (text: Buffer) => 2 + text.length

function putText(bytes: Buffer, text: Buffer, at: number): number {
  const start = bytes.writeUInt16LE(text.length, at)
  return start + text.copy(bytes, start)
}

/** The most that two bytes can count. */
const maxTextBytes = 65_535

/** Throws RangeError for a commit that is too large. */
export function encodeCommit(id: number, writes: readonly Write[], user?: Caller['user']): Buffer {
  const keys = writes.map(({ key }) => Buffer.from(key))
  const name = Buffer.from(user?.name ?? '').subarray(0, maxTextBytes)
  let length = 8 + textBytes(name)
  for (const [i, { value, expected, ttl }] of writes.entries()) {
    length += 1 + textBytes(keys[i]!)
    if (value) length += 4 + value.length
    if (expected !== undefined) length += 8
    if (ttl !== undefined) length += 8
  }
  const bytes = frame('commit', length)
  let at = bytes.writeUInt32LE(id, headBytes)
  at = bytes.writeUInt32LE(writes.length, at)
  at = putText(bytes, name, at)
  for (const [i, { value, expected, ttl }] of writes.entries()) {
    const flags = (value ? has.value : 0) | (expected === undefined ? 0 : has.expected) | (ttl === undefined ? 0 : has.ttl)
    at = bytes.writeUInt8(flags, at)
    at = putText(bytes, keys[i]!, at)
    if (expected !== undefined) at = bytes.writeDoubleLE(expected, at)
    if (ttl !== undefined) at = bytes.writeDoubleLE(ttl, at)
    if (!value) continue
    at = bytes.writeUInt32LE(value.length, at)
    at += value.copy(bytes, at)
  }
  return bytes
}

export const encodeCompact = (id: number, revision: number): Buffer => numbered('compact', id, revision)
export const encodeCheck = (id: number): Buffer => numbered('check', id)
export const encodeDone = (id: number, revision: number): Buffer => numbered('done', id, revision)
export const encodeRefused = (id: number, write: number): Buffer => numbered('refused', id, write)

export function encodeRevision(revision: number): Buffer {
  const bytes = frame('revision', 8)
  bytes.writeDoubleLE(revision, headBytes)
  return bytes
}

export function encodeFailed(id: number, message: string): Buffer {
  const bytes = frame('failed', 4 + Buffer.byteLength(message))
  bytes.write(message, bytes.writeUInt32LE(id, headBytes))
  return bytes
}

/** Reads a frame without its length. Throws RangeError for one that is cut off. */
export function decodeQuestion(bytes: Buffer): Question {
  const id = bytes.readUInt32LE(1)
  switch (bytes[0]) {
    case types.commit:
      return { type: 'commit', id, ...decodeCommit(bytes) }
    case types.compact:
      return { type: 'compact', id, revision: bytes.readDoubleLE(5) }
    case types.check:
      return { type: 'check', id }
  }
  throw new RangeError(`a worker does not send frames of type ${bytes[0]}`)
}

function decodeCommit(bytes: Buffer): { readonly writes: Write[]; readonly user: Caller['user'] } {
  const writes: Write[] = []
  let at = 9
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('a frame ends within a write')
    at += length
    return bytes.subarray(at - length, at)
  }
  const text = () => take(take(2).readUInt16LE()).toString()
  const name = text()
  for (let count = bytes.readUInt32LE(5); count > 0; count--) {
    const flags = take(1)[0]!
    const key = text()
    const expected = flags & has.expected ? take(8).readDoubleLE() : undefined
    const ttl = flags & has.ttl ? take(8).readDoubleLE() : undefined
    const value = flags & has.value ? take(take(4).readUInt32LE()) : undefined
    writes.push({ key, value, expected, ttl })
  }
  return { writes, user: name === '' ? undefined : { name } }
}

/** Reads a frame without its length. Throws RangeError for one that is cut off. */
export function decodeTold(bytes: Buffer): Told {
  switch (bytes[0]) {
    case types.revision:
      return { type: 'revision', revision: bytes.readDoubleLE(1) }
    case types.done:
      return { type: 'done', id: bytes.readUInt32LE(1), revision: bytes.readDoubleLE(5) }
    case types.refused:
      return { type: 'refused', id: bytes.readUInt32LE(1), write: bytes.readDoubleLE(5) }
    case types.failed:
      return { type: 'failed', id: bytes.readUInt32LE(1), message: bytes.toString('utf8', 5) }
  }
  throw new RangeError(`the writer does not send frames of type ${bytes[0]}`)
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #waiting: Buffer[] = []
  #bytes = 0

  /** Returns the frames, without their lengths, that are complete with these bytes. Throws RangeError for one that is too long. */
  read(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = []
    this.#waiting.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= headBytes) {
      if (this.#waiting[0]!.length < headBytes) this.#join()
      const length = this.#waiting[0]!.readUInt32LE()
      if (length === 0 || length > maxFrameBytes + 1) throw new RangeError(`a frame has ${length} bytes`)
      if (this.#bytes < 4 + length) break
      this.#join()
      const all = this.#waiting[0]!
      this.#bytes -= 4 + length
      this.#waiting = this.#bytes > 0 ? [all.subarray(4 + length)] : []
      frames.push(all.subarray(4, 4 + length))
    }
    return frames
  }

  #join(): void {
    if (this.#waiting.length > 1) this.#waiting = [Buffer.concat(this.#waiting)]
  }
}
