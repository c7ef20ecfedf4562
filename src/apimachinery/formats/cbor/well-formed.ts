/**
 * Checks that bytes are one well-formed CBOR data item within kube-apiserver's limits, before anything is decoded. It allocates
 * only a few numbers per level, so that lengths which a client merely claims cost nothing.
 */

import { maxJsonDepth } from '../../../util/json.js'
import { tooManyValues } from '../../status/status.js'
import { maxKeys, maxValues } from '../value-limit.js'
import { breakByte, CborError, Cursor, indefinite, major, typeNames } from './cursor.js'

const maxDepth = 10_000
const maxElements = 2_147_483_647
const maxPairs = 2_097_152

const unexpectedEnd = () => new CborError('unexpected EOF')
const tooDeep = () => new CborError(`cbor: exceeded max nested level ${maxDepth}`)
const unacceptable = (type: number, why: string) =>
  new CborError(`cbor: data item of cbor type ${typeNames[type]} is not accepted by protocol: ${why}`)

/** Throws a CborError, or a StatusError for more values than a body may have. `isBody` is false for what is already stored. */
export function checkWellFormed(bytes: Buffer, isBody = true): void {
  if (bytes.length === 0) throw new CborError('EOF')
  const cursor = new Cursor(bytes)
  // for each open container: items that are still to come (-1: until a break), and whether every other item is a key
  const lefts: number[] = []
  const maps: boolean[] = []
  const counts: number[] = []
  let left = 1
  let isMap = false
  let count = 0
  let values = 0
  let depth = 0
  const enter = (items: number, map: boolean) => {
    lefts.push(left)
    maps.push(isMap)
    counts.push(count)
    left = items
    isMap = map
    count = 0
  }
  for (;;) {
    if (left < 0 && cursor.at >= bytes.length) throw unexpectedEnd()
    if (left < 0 && cursor.takeBreak()) {
      if (isMap && count % 2 === 1) throw new CborError('cbor: unexpected "break" code')
      left = 0
    }
    if (left === 0) {
      if (lefts.length === 0) break
      left = lefts.pop()!
      isMap = maps.pop()!
      count = counts.pop()!
      depth--
      continue
    }
    if (left > 0) left--
    count++
    if (isMap && count % 2 === 1) {
      if (left < 0 && count > maxPairs * 2) throw tooManyPairs()
      if (isBody && count > maxKeys * 2) throw tooManyValues(maxKeys, 'keys in an object')
    } else if (isBody && ++values > maxValues) throw tooManyValues(maxValues)
    readItem(cursor, depth)
    const { type } = cursor
    if (type !== major.list && type !== major.map) continue
    if (++depth > maxJsonDepth) throw tooDeep()
    const length = cursor.argument
    if (!cursor.isIndefinite) checkLength(type, length)
    enter(cursor.isIndefinite ? -1 : Number(length) * (type === major.map ? 2 : 1), type === major.map)
  }
  const extra = bytes.length - cursor.at
  if (extra > 0) throw new CborError(`cbor: ${extra} bytes of extraneous data starting at index ${cursor.at}`)
}

const tooManyPairs = () => new CborError(`cbor: exceeded max number of key-value pairs ${maxPairs} for CBOR map`)

function checkLength(type: number, length: number | bigint): void {
  if (length >= 2n ** 63n)
    throw new CborError(`cbor: ${typeNames[type]} length ${length} is too large, it would cause integer overflow`)
  if (type === major.list && length > maxElements)
    throw new CborError(`cbor: exceeded max number of elements ${maxElements} for CBOR array`)
  if (type === major.map && length > maxPairs) throw tooManyPairs()
}

/** Reads the tags and the head of an item, and a string as a whole. A tag in a tag is one level deeper. */
function readItem(cursor: Cursor, depth: number): void {
  const { bytes } = cursor
  readCheckedHead(cursor)
  let tags = 0
  while (cursor.type === major.tag) {
    if (cursor.at >= bytes.length) throw unexpectedEnd()
    if (cursor.argument === 2 || cursor.argument === 3) throw unacceptable(major.tag, 'bignum')
    if (cursor.nextType === major.tag && depth + ++tags > maxDepth) throw tooDeep()
    readCheckedHead(cursor)
  }
  const { type } = cursor
  if (type !== major.bytes && type !== major.text) return
  if (!cursor.isIndefinite) skipString(cursor)
  else
    for (;;) {
      if (cursor.at >= bytes.length) throw unexpectedEnd()
      if (cursor.takeBreak()) break
      const chunk = bytes[cursor.at]!
      if (chunk >> 5 !== type)
        throw new CborError(`cbor: wrong element type ${typeNames[chunk >> 5]} for indefinite-length ${typeNames[type]}`)
      if ((chunk & 0x1f) === indefinite)
        throw new CborError(`cbor: indefinite-length ${typeNames[type]} chunk is not definite-length`)
      readCheckedHead(cursor)
      skipString(cursor)
    }
  // chunks have heads of their own
  cursor.type = type
}

function skipString(cursor: Cursor): void {
  const { argument, type, bytes } = cursor
  if (argument >= 2n ** 63n)
    throw new CborError(`cbor: ${typeNames[type]} length ${argument} is too large, causing integer overflow`)
  if (bytes.length - cursor.at < argument) throw unexpectedEnd()
  cursor.at += Number(argument)
}

function readCheckedHead(cursor: Cursor): void {
  const { bytes, at } = cursor
  const first = bytes[at]
  if (first === undefined) throw unexpectedEnd()
  const type = first >> 5
  const info = first & 0x1f
  if (info >= 28 && (info !== indefinite || type < major.bytes || type === major.tag))
    throw new CborError(`cbor: invalid additional information ${info} for type ${typeNames[type]}`)
  if (first === breakByte) throw new CborError('cbor: unexpected "break" code')
  if (info >= 24 && info < 28 && bytes.length - at - 1 < 1 << (info - 24)) throw unexpectedEnd()
  cursor.readHead()
  if (type !== major.simple || info < 24) return
  if (info === 24) {
    if (Number(cursor.argument) < 32)
      throw new CborError(`cbor: invalid simple value ${cursor.argument} for type ${typeNames[type]}`)
    return
  }
  const float = cursor.float()
  if (Number.isNaN(float)) throw unacceptable(type, 'floating-point NaN')
  if (!Number.isFinite(float)) throw unacceptable(type, 'floating-point infinity')
}
