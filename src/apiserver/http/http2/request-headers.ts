import { addField, bodyLength, type HeaderFields, token, visible } from '../header-fields.js'
import type { HeaderDecoder } from './header-decoder.js'

export interface RequestHeaders {
  /** By lower-case name; pseudo-header fields begin with ":". Values of a name that came more than once are joined. */
  readonly headers: HeaderFields
  /** Names and values in turn, as sent. */
  readonly raw: readonly string[]
}

export interface HeaderLimits {
  /** Bytes of all names and values, with 32 for each field (SETTINGS_MAX_HEADER_LIST_SIZE). */
  readonly headerBytes: number
  readonly headerPairs: number
}

/** The pseudo-header fields of requests, and what their values are made of. */
const pseudo = new Map([
  [':method', token],
  [':scheme', token],
  [':path', visible],
  [':authority', visible]
])

/** Fields that only have a meaning for connections of HTTP/1 (RFC 9113, section 8.2.2). */
export const ofConnections = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** Fields that decide who is asked and where the request ends. */
const once = new Set(['host', 'content-length'])

const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const invalidValue = /[\0\r\n]|^[ \t]|[ \t]$/

/**
 * Decodes the header block of a request. A malformed one (RFC 9113, section 8.1.1) and one beyond the limits are decoded to their
 * ends, because the decoder must know all of them.
 */
export function readRequestHeaders(
  decoder: HeaderDecoder,
  block: Buffer,
  limits: HeaderLimits
): RequestHeaders | 'malformed' | 'too large' {
  const headers: HeaderFields = { __proto__: null } as never
  const raw: string[] = []
  let bytes = 0
  let isMalformed = false
  let isTooLarge = false
  decoder.decode(block, (name, value) => {
    bytes += name.length + value.length + 32
    if (bytes > limits.headerBytes || raw.length >= 2 * limits.headerPairs) isTooLarge = true
    if (isTooLarge || isMalformed) return
    // pseudo-header fields come once each, before all others
    const isSound = name.startsWith(':')
      ? headers[name] === undefined && arePseudo(raw) && pseudo.get(name)?.test(value)
      : isField(name, value)
    if (!isSound) {
      isMalformed = true
      return
    }
    raw.push(name, value)
    // two of these mean two things to two readers
    const before = once.has(name) ? headers[name] : undefined
    if (before !== undefined && before !== value) isMalformed = true
    addField(headers, name, value)
  })
  if (isTooLarge) return 'too large'
  return isMalformed || !isComplete(headers) ? 'malformed' : { headers, raw }
}

/** Whether the fields of trailers are well-formed. Nothing else is done with them. */
export function readTrailers(decoder: HeaderDecoder, block: Buffer): boolean {
  let isSound = true
  decoder.decode(block, (name, value) => {
    if (!isField(name, value)) isSound = false
  })
  return isSound
}

const isField = (name: string, value: string): boolean =>
  fieldName.test(name) && !invalidValue.test(value) && !ofConnections.has(name) && (name !== 'te' || value === 'trailers')

/** Whether the last field so far is a pseudo-header field, or there is none. */
const arePseudo = (raw: readonly string[]): boolean => raw.length === 0 || raw[raw.length - 2]!.startsWith(':')

/** Whether all is there and fits together. The server that is asked for stands in the host header from now on, as over HTTP/1.1. */
function isComplete(headers: HeaderFields): boolean {
  const { 'content-length': length, ':authority': authority, ':path': path, ':scheme': scheme, host } = headers
  if (length !== undefined && !bodyLength.test(length)) return false
  if (authority !== undefined) {
    if (authority.includes('@') || (host !== undefined && host.toLowerCase() !== authority.toLowerCase())) return false
    headers.host = authority
  }
  // this is no proxy
  if (headers[':method'] === undefined || headers[':method'] === 'CONNECT') return false
  return (scheme === 'https' || scheme === 'http') && path !== undefined && (path.startsWith('/') || path === '*')
}
