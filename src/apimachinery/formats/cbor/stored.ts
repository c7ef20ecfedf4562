/**
 * Custom resources as kube-apiserver stores them with the feature gate CBORServingAndStorage: CBOR with sorted keys. They stay in the
 * store when the gate is off again, so everybody reads them.
 */
import { parseExact } from '../../../util/exact-json.js'
import { Cursor, major } from './cursor.js'
import { readCbor } from './read.js'
import { encodeCbor, encodePart, selfDescribed } from './write.js'

/** JSON cannot begin like this. */
export const isCbor = (value: Buffer): boolean => value[0] === selfDescribed[0] && value.subarray(0, 3).equals(selfDescribed)

/** Parses a stored value in CBOR or JSON. */
export const parseStored = (value: Buffer): unknown => (isCbor(value) ? readCbor(value, false) : parseExact(value.toString()))

/** Encodes an object as kube-apiserver stores it: without its resourceVersion. */
export function encodeStored(object: any, kind: string, apiVersion: string): Buffer {
  const { resourceVersion: _, ...metadata } = object.metadata
  return encodeCbor({ ...object, kind, apiVersion, metadata }, undefined, true)
}

/** Whether a stored value is CBOR and of a version, without parsing it. */
export function isStoredAs(value: Buffer, apiVersion: string): boolean {
  if (!isCbor(value)) return false
  const cursor = new Cursor(value)
  cursor.at = selfDescribed.length
  cursor.readHead()
  if (cursor.type !== major.map || cursor.isIndefinite) return false
  const key = encodePart('apiVersion')
  const wanted = encodePart(apiVersion)
  for (let left = Number(cursor.argument); left > 0; left--) {
    if (startsAt(value, cursor.at, key)) return startsAt(value, cursor.at + key.length, wanted)
    cursor.skip()
    cursor.skip()
  }
  return false
}

const startsAt = (value: Buffer, at: number, part: Buffer) => value.subarray(at, at + part.length).equals(part)
