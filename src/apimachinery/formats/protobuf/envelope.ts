/**
 * The envelope that identifies a message: four bytes of magic, then runtime.Unknown with kind, apiVersion and the message
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding).
 */

import { ProtobufError, Reader, wireBytes } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'
import type { StructType } from '../../schema/model.js'
import { decodeMessage } from './decode.js'
import { encodeMessage } from './encode.js'
import { tagOf } from './layout.js'
import { messageType, scalarType } from './message-type.js'

const magic = Buffer.from('k8s\0')
const string = scalarType('string')
const typeMeta: StructType = messageType('TypeMeta', {
  apiVersion: { number: 1, type: string, go: 'APIVersion' },
  kind: { number: 2, type: string }
})
/** contentEncoding and contentType, always empty. */
const end = Buffer.from([tagOf(3, wireBytes), 0, tagOf(4, wireBytes), 0])

export interface Enveloped {
  readonly kind: string
  readonly apiVersion: string
  readonly message: Buffer
}

/** The bytes before and after a message of `length` bytes. */
export function envelope(apiVersion: string, kind: string, length: number): { head: Buffer; end: Buffer } {
  const writer = new ReverseWriter(128)
  writer.varint(length)
  writer.varint(tagOf(2, wireBytes))
  const meta = encodeMessage(typeMeta, { apiVersion, kind })
  writer.bytes(meta)
  writer.varint(meta.length)
  writer.varint(tagOf(1, wireBytes))
  writer.bytes(magic)
  return { head: writer.take(), end }
}

export function wrap(apiVersion: string, kind: string, message: Buffer): Buffer {
  const { head } = envelope(apiVersion, kind, message.length)
  return Buffer.concat([head, message, end])
}

/** Opens an envelope. Throws ProtobufError with kube-apiserver's messages. The message is a view of `bytes`. */
export function unwrap(bytes: Buffer): Enveloped {
  if (bytes.length === 0) throw new ProtobufError('empty data')
  if (!bytes.subarray(0, magic.length).equals(magic))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  if (bytes.length === magic.length) throw new ProtobufError('empty body')
  const reader = new Reader(bytes.subarray(magic.length))
  let identity: { kind?: string; apiVersion?: string } = {}
  let message: Buffer = Buffer.alloc(0)
  while (!reader.done) {
    const number = reader.tag('Unknown')
    const name = unknownFields[number]
    if (name === undefined) reader.skip()
    else if (reader.wire !== wireBytes) throw new ProtobufError(`proto: wrong wireType = ${reader.wire} for field ${name}`)
    else if (number === 1) identity = { ...identity, ...decodeMessage(typeMeta, reader.bytes()) }
    else if (number === 2) message = reader.bytes()
    else reader.bytes()
  }
  const { kind = '', apiVersion = '' } = identity
  return { kind, apiVersion, message }
}

const unknownFields: Readonly<Record<number, string>> = { 1: 'TypeMeta', 2: 'Raw', 3: 'ContentEncoding', 4: 'ContentType' }
