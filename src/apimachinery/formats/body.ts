/** Bodies of requests and answers: finds the format that a media type names. */
import { unsupportedBody } from '../status/status.js'
import type { BodyFormat, ParsedBody } from './body-format.js'
import { cborBodies } from './cbor/body.js'
import { jsonBodies } from './json-body.js'
import { parseMediaType } from './media-type.js'
import { bodyMediaTypes, type MediaType } from './negotiate.js'
import { protobufBodies } from './protobuf/body.js'
import { yamlBodies } from './yaml-body.js'

const formats: Readonly<Record<MediaType, BodyFormat>> = {
  'application/json': jsonBodies,
  'application/yaml': yamlBodies,
  'application/vnd.kubernetes.protobuf': protobufBodies,
  'application/cbor': cborBodies
}

/** Finds the format of a body: JSON for a missing header, none for a media type that bodies cannot have. */
function formatOf(contentType: string | undefined, cbor: boolean): BodyFormat | undefined {
  if (!contentType || contentType === 'application/json') return jsonBodies
  const type = parseMediaType(contentType)
  const format = Object.values(formats).find(({ mediaType }) => mediaType === type)
  return format === cborBodies && !cbor ? undefined : format
}

/** Throws 415 for a media type that bodies cannot have. */
export function checkBodyType({ cbor }: { readonly cbor: boolean }, contentType: string | undefined): void {
  if (!formatOf(contentType, cbor)) throw unsupportedBody(bodyMediaTypes(cbor))
}

/**
 * Parses a body. `typed` and `user`: see ParsePurpose. `cbor`: whether bodies may be CBOR. Throws or rejects with SyntaxFailure, or with a StatusError 415
 * for a media type that bodies cannot have.
 */
export function parseBody(
  contentType: string | undefined,
  body: Buffer,
  typed = false,
  cbor = false,
  user = ''
): ParsedBody | Promise<ParsedBody> {
  const format = formatOf(contentType, cbor)
  if (!format) throw unsupportedBody(bodyMediaTypes(cbor))
  return format.parse(body, { typed, user })
}

/** Encodes an object in the form that the client asked for. `sorted`: JSON with sorted keys, as for custom resources. */
export const encodeObject = (object: unknown, mediaType: MediaType, pretty: boolean, sorted = false): Buffer =>
  formats[mediaType].encode(object, pretty, sorted)

/** Returns the beginning of an unreadable body, as error messages show it. */
export function summarize(body: Buffer): string {
  const max = 30
  if (body.length === 0) return '<empty>'
  const encoding = body[0] === 0x7b ? 'utf8' : 'hex'
  return body.length > max ? `${body.subarray(0, max).toString(encoding)} ...` : body.toString(encoding)
}
