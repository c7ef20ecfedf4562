/**
 * The messages of KMS v2 (k8s.io/kms/apis/v2) and of the values that are encrypted with it, read and written by hand as those of etcd
 * are.
 */
import { ProtobufError, Reader, wireBytes, wireVarint } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'
import { TransformError } from '../transformer.js'

export type Annotations = ReadonlyMap<string, Buffer>

export interface StatusResponse {
  readonly version: string
  readonly healthz: string
  readonly keyId: string
}

export interface EncryptResponse {
  readonly ciphertext: Buffer
  readonly keyId: string
  readonly annotations: Annotations
}

export interface DecryptRequest {
  readonly ciphertext: Buffer
  readonly uid: string
  readonly keyId: string
  readonly annotations: Annotations
}

/** The value of the field that says how a decrypted key source becomes the key. */
export const aesGcmKey = 0
export const hkdfSeed = 1

/** A stored value. */
export interface EncryptedObject {
  readonly encryptedData: Buffer
  readonly keyId: string
  /** The seed or key, as the plugin has encrypted it. */
  readonly encryptedSource: Buffer
  readonly annotations: Annotations
  readonly sourceType: number
}

// messages are written from back to front, so the fields are in descending order
const writer = new ReverseWriter()

function bytesField(number: number, value: Buffer): void {
  if (value.length === 0) return
  writer.bytes(value)
  writer.varint(value.length)
  writer.varint((number << 3) | wireBytes)
}

const stringField = (number: number, text: string) => bytesField(number, Buffer.from(text))

function annotationsField(number: number, annotations: Annotations): void {
  for (const [key, value] of [...annotations].reverse()) {
    const before = writer.written
    bytesField(2, value)
    stringField(1, key)
    writer.lengthSince(before)
    writer.varint((number << 3) | wireBytes)
  }
}

function encoded(write: () => void): Buffer {
  writer.clear()
  write()
  return writer.take()
}

/** Calls `field` with the number of each field; `field` returns false for one that it does not read. */
function decoded(bytes: Buffer, message: string, field: (number: number, reader: Reader) => boolean): void {
  const reader = new Reader(bytes)
  while (!reader.done) {
    const number = reader.tag(message)
    const expected = message === 'EncryptedObject' && number === 5 ? wireVarint : wireBytes
    if (reader.wire !== expected || !field(number, reader)) reader.skip()
  }
}

function addAnnotation(reader: Reader, annotations: Map<string, Buffer>): void {
  reader.message(() => {
    let key = ''
    let value: Buffer = Buffer.alloc(0)
    while (!reader.done) {
      const number = reader.tag('AnnotationsEntry')
      if (number === 1 && reader.wire === wireBytes) key = reader.string()
      else if (number === 2 && reader.wire === wireBytes) value = reader.bytes()
      else reader.skip()
    }
    annotations.set(key, value)
  })
}

/** Writes the parts around the encrypted data once, because they are the same for all values of a seed. */
export function encodeTail({ keyId, encryptedSource, annotations, sourceType }: Omit<EncryptedObject, 'encryptedData'>): Buffer {
  return encoded(() => {
    if (sourceType !== 0) {
      writer.varint(sourceType)
      writer.varint((5 << 3) | wireVarint)
    }
    annotationsField(4, annotations)
    bytesField(3, encryptedSource)
    stringField(2, keyId)
  })
}

/** Writes a stored value, with what `encodeTail` has made. */
export const encodeObject = (encryptedData: Buffer, tail: Buffer): Buffer =>
  encoded(() => {
    writer.bytes(tail)
    bytesField(1, encryptedData)
  })

/** Reads a stored value. Throws a TransformError. */
export function decodeObject(bytes: Buffer): EncryptedObject {
  let encryptedData: Buffer = Buffer.alloc(0)
  let keyId = ''
  let encryptedSource: Buffer = Buffer.alloc(0)
  const annotations = new Map<string, Buffer>()
  let sourceType = 0
  try {
    decoded(bytes, 'EncryptedObject', (number, reader) => {
      if (number === 1) encryptedData = reader.bytes()
      else if (number === 2) keyId = reader.string()
      else if (number === 3) encryptedSource = reader.bytes()
      else if (number === 4) addAnnotation(reader, annotations)
      else if (number === 5) sourceType = reader.int32()
      else return false
      return true
    })
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new TransformError('proto: cannot parse invalid wire-format data')
  }
  return { encryptedData, keyId, encryptedSource, annotations, sourceType }
}

export function decodeStatus(bytes: Buffer): StatusResponse {
  const found = { version: '', healthz: '', keyId: '' }
  decoded(bytes, 'StatusResponse', (number, reader) => {
    if (number === 1) found.version = reader.string()
    else if (number === 2) found.healthz = reader.string()
    else if (number === 3) found.keyId = reader.string()
    else return false
    return true
  })
  return found
}

export const encodeEncryptRequest = (plaintext: Buffer, uid: string): Buffer =>
  encoded(() => {
    stringField(2, uid)
    bytesField(1, plaintext)
  })

export function decodeEncryptResponse(bytes: Buffer): EncryptResponse {
  let ciphertext: Buffer = Buffer.alloc(0)
  let keyId = ''
  const annotations = new Map<string, Buffer>()
  decoded(bytes, 'EncryptResponse', (number, reader) => {
    if (number === 1) ciphertext = reader.bytes()
    else if (number === 2) keyId = reader.string()
    else if (number === 3) addAnnotation(reader, annotations)
    else return false
    return true
  })
  return { ciphertext, keyId, annotations }
}

export const encodeDecryptRequest = ({ ciphertext, uid, keyId, annotations }: DecryptRequest): Buffer =>
  encoded(() => {
    annotationsField(4, annotations)
    stringField(3, keyId)
    stringField(2, uid)
    bytesField(1, ciphertext)
  })

/** Returns the decrypted bytes. */
export function decodeDecryptResponse(bytes: Buffer): Buffer {
  let plaintext: Buffer = Buffer.alloc(0)
  decoded(bytes, 'DecryptResponse', (number, reader) => {
    if (number === 1) plaintext = reader.bytes()
    return number === 1
  })
  return plaintext
}
