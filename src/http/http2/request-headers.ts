import type { HeaderDecoder } from './header-decoder.js'

export interface RequestHeaders {
  /** By lower-case name; pseudo-header fields begin with ":". Values of a name that came more than once are joined. */
  readonly headers: Record<string, string | undefined>
  /** Names and values in turn, as sent. */
  readonly raw: readonly string[]
}

export interface HeaderLimits {
  /** Bytes of all names and values, with 32 for each field (SETTINGS_MAX_HEADER_LIST_SIZE). */
  readonly headerBytes: number
  readonly headerPairs: number
}

/** Fields of which the first counts, because a list of them has no meaning. */
const single = new Set(
  `authorization content-length content-location content-md5 content-range content-type date expires from host if-match if-modified-since
   if-none-match if-range if-unmodified-since max-forwards proxy-authorization range referer user-agent`.split(/\s+/)
)

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const visible = /^[\x21-\x7e\x80-\xff]+$/

/** The pseudo-header fields of requests, and what their values are made of. */
const pseudo = new Map([
  [':method', token],
  [':scheme', token],
  [':path', visible],
  [':authority', visible]
])

/** Fields that only have a meaning for connections of HTTP/1 (RFC 9113, section 8.2.2). */
export const ofConnections = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

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
  const headers: Record<string, string | undefined> = { __proto__: null } as never
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
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (name === 'content-length') isMalformed ||= before !== value
    else if (!single.has(name)) headers[name] = before + (name === 'cookie' ? '; ' : ', ') + value
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

function isComplete(headers: RequestHeaders['headers']): boolean {
  const length = headers['content-length']
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return false
  return Boolean(headers[':method'] && headers[':scheme'] && headers[':path'])
}
