/** The messages of the gRPC service v1.ExternalJWTSigner (k8s.io/externaljwt, KEP-740). */
import { Reader, wireBytes } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'

export interface SignResponse {
  /** The header of the token, in base64url. */
  readonly header: string
  readonly signature: string
}

export interface FetchedKey {
  readonly id: string
  /** The public key: SubjectPublicKeyInfo in DER. */
  readonly key: Buffer
  readonly isExcluded: boolean
}

export interface FetchKeysResponse {
  readonly keys: readonly FetchedKey[]
  readonly hasTimestamp: boolean
  readonly refreshSeconds: number
}

export function encodeSignRequest(claims: string): Buffer {
  const writer = new ReverseWriter(claims.length + 16)
  const bytes = Buffer.from(claims)
  writer.bytes(bytes)
  writer.varint(bytes.length)
  writer.varint((1 << 3) | wireBytes)
  return writer.take()
}

export const emptyRequest = Buffer.alloc(0)

export function decodeSignResponse(bytes: Buffer): SignResponse {
  let [header, signature] = ['', '']
  read(bytes, 'SignJWTResponse', (reader, field) => {
    if (field === 1) header = reader.string()
    else if (field === 2) signature = reader.string()
    else return false
    return true
  })
  return { header, signature }
}

export function decodeKeys(bytes: Buffer): FetchKeysResponse {
  const keys: FetchedKey[] = []
  let hasTimestamp = false
  let refreshSeconds = 0
  read(bytes, 'FetchKeysResponse', (reader, field) => {
    if (field === 1) keys.push(decodeKey(reader.bytes()))
    else if (field === 2) hasTimestamp = reader.bytes().length >= 0
    else if (field === 3) refreshSeconds = reader.int64()
    else return false
    return true
  })
  return { keys, hasTimestamp, refreshSeconds }
}

function decodeKey(bytes: Buffer): FetchedKey {
  let [id, key, isExcluded] = ['', Buffer.alloc(0), false]
  read(bytes, 'Key', (reader, field) => {
    if (field === 1) id = reader.string()
    else if (field === 2) key = Buffer.from(reader.bytes())
    else if (field === 3) isExcluded = reader.bool()
    else return false
    return true
  })
  return { id, key, isExcluded }
}

/** Returns the most seconds that the signer's tokens are valid. */
export function decodeMetadata(bytes: Buffer): number {
  let seconds = 0
  read(bytes, 'MetadataResponse', (reader, field) => {
    if (field !== 1) return false
    seconds = reader.int64()
    return true
  })
  return seconds
}

/** Reads a message. `take` reads a field that it knows, and returns whether it did. */
function read(bytes: Buffer, message: string, take: (reader: Reader, field: number) => boolean): void {
  const reader = new Reader(bytes)
  while (!reader.done) {
    const field = reader.tag(message)
    if (!take(reader, field)) reader.skip()
  }
}
