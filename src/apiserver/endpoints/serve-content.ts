/** Answers with a content that clients may keep: conditional requests and parts of it (RFC 9110), as Go's http.ServeContent. */
import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { type ByteRange, readRanges } from './byte-ranges.js'
import { respondText } from './respond.js'

export interface Content {
  readonly body: Buffer
  /** When it was made, in milliseconds since 1970. */
  readonly modified: number
  /**
   * When it changed, where `modified` is later. Dates in HTTP have seconds: a client that got a content in the second of a change may
   * hold what was before it, so it is sent again.
   */
  readonly changed?: number | undefined
  /** The type, the ETag if there is one, and others. */
  readonly headers: Readonly<Record<string, string>> & { readonly 'content-type': string }
}

export function serveContent(context: RequestContext, { body, modified, changed, headers: given }: Content): Response {
  const headers: Record<string, string> = { ...given, 'last-modified': new Date(modified).toUTCString() }
  const etag = given.etag ?? ''
  const failed = failedCondition(context, etag, modified, changed)
  if (failed === 412) return { status: 412, headers }
  if (failed === 304) {
    delete headers['content-type']
    if (etag !== '') delete headers['last-modified']
    return { status: 304, headers }
  }
  const range = context.header('range')
  const ranges = range && isRangeWanted(context, etag, modified) ? readRanges(range, body.length) : []
  if (typeof ranges === 'string') {
    const { etag: _, 'last-modified': __, 'cache-control': ___, ...kept } = headers
    const answer = respondText(`${ranges}\n`, 416)
    const present = ranges === 'invalid range' ? {} : { 'content-range': `bytes */${body.length}` }
    return { ...answer, headers: { ...kept, ...answer.headers, ...present } }
  }
  headers['accept-ranges'] = 'bytes'
  if (ranges.length === 0) return { status: 200, headers, body }
  if (ranges.length > 1) return inParts(body, headers, ranges)
  const [{ start, end }] = ranges as [ByteRange]
  headers['content-range'] = rangeText(ranges[0]!, body.length)
  return { status: 206, headers, body: body.subarray(start, end) }
}

const rangeText = ({ start, end }: ByteRange, size: number) => `bytes ${start}-${end - 1}/${size}`

function inParts(body: Buffer, headers: Record<string, string>, ranges: readonly ByteRange[]): Response {
  const boundary = randomBytes(30).toString('hex')
  const pieces = ranges.flatMap((range, i) => [
    Buffer.from(
      `${i === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${rangeText(range, body.length)}\r\n` +
        `Content-Type: ${headers['content-type']}\r\n\r\n`
    ),
    body.subarray(range.start, range.end)
  ])
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`))
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`
  return { status: 206, headers, body: Buffer.concat(pieces) }
}

/** Returns the status of the answer to a condition that does not hold. ETags come before dates. */
function failedCondition(
  context: RequestContext,
  etag: string,
  modified: number,
  changed = Number.NEGATIVE_INFINITY
): 304 | 412 | undefined {
  const isRead = context.request.method === 'GET' || context.request.method === 'HEAD'
  const ifMatch = context.header('if-match')
  if (ifMatch) {
    if (!matches(ifMatch, tag => tag === etag && !tag.startsWith('W/'))) return 412
  } else {
    const since = dateOf(context.header('if-unmodified-since'))
    if (since !== undefined && !isUntouched(modified, since)) return 412
  }
  const ifNoneMatch = context.header('if-none-match')
  if (ifNoneMatch) {
    const weak = (tag: string) => tag.replace(/^W\//, '')
    if (matches(ifNoneMatch, tag => weak(tag) === weak(etag))) return isRead ? 304 : 412
    return undefined
  }
  const since = isRead ? dateOf(context.header('if-modified-since')) : undefined
  return since !== undefined && isUntouched(modified, since) && !isUntouched(since, changed) ? 304 : undefined
}

/** Whether a part may be sent: not when the client holds parts of another content. */
function isRangeWanted(context: RequestContext, etag: string, modified: number): boolean {
  const condition = context.header('if-range')
  if (!condition || !(context.request.method === 'GET' || context.request.method === 'HEAD')) return true
  const tag = tagAt(condition)
  if (tag !== undefined) return tag !== '' && tag === etag && !tag.startsWith('W/')
  const date = dateOf(condition)
  return date !== undefined && Math.floor(modified / 1000) === Math.floor(date / 1000)
}

/** Whether one of the tags in a header is right, or the header is "*". What follows text that is no tag does not count. */
function matches(header: string, isRight: (tag: string) => boolean): boolean {
  let rest = header
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '')
    if (rest === '') return false
    if (rest.startsWith('*')) return true
    const tag = tagAt(rest)
    if (tag === undefined) return false
    if (isRight(tag)) return true
    rest = rest.slice(tag.length)
  }
}

const tagAt = (text: string): string | undefined => /^(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/.exec(text)?.[0]

const isUntouched = (modified: number, since: number): boolean => Math.floor(modified / 1000) <= Math.floor(since / 1000)

const usualDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/
const olderDate = /^\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT$/
const unixDate = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** Reads the three forms of dates in HTTP. */
function dateOf(text: string | undefined): number | undefined {
  if (!text) return undefined
  const complete = usualDate.test(text) || olderDate.test(text) ? text : unixDate.test(text) ? `${text} GMT` : undefined
  const time = complete === undefined ? Number.NaN : Date.parse(complete)
  return Number.isNaN(time) ? undefined : time
}
