/**
 * Reads the head of a request over HTTP/1.1 (RFC 9112). Stricter than Go's server where two readers could take the same bytes for
 * different requests: lines end with CR LF and are never continued, and a body is framed in exactly one way.
 */
import { addField, bodyLength, type HeaderFields, token, visible } from '../header-fields.js'
import { badRequest, Refusal } from './refusal.js'

/** How the end of a body is known: its bytes, where there is a Content-Length, else its chunks. 0: there is no body. */
export type BodyFraming = number | 'chunked'

export interface RequestHead {
  readonly method: string
  /** Path and query, or *. */
  readonly url: string
  /** Whether the version is 1.0, which knows neither chunks nor upgrades. */
  readonly isOld: boolean
  /** By lower-case name. */
  readonly headers: Readonly<HeaderFields>
  /** Names and values in turn, as sent. */
  readonly raw: readonly string[]
  readonly framing: BodyFraming
  /** Whether the client wants to go on with the connection. */
  readonly keepAlive: boolean
  /** The protocol to which the client wants to switch, in lower case. A request with a body cannot switch: the body would count as its bytes. */
  readonly upgrade: string | undefined
  /** Whether the client waits to be told to send its body. */
  readonly expectsContinue: boolean
}

/** Control characters, and line ends that are not CR LF. */
const malformed = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/
const requestLine = /^(\S+) (\S+) HTTP\/(\d)\.(\d)$/
const absolute = /^https?:\/\/([^/?#]*)(.*)$/i
const host = /^[!$%&'()*+,\-.:;=[\]_~0-9A-Za-z]*$/

/** `text`: the lines of a head, one character for each byte, without the empty line at the end. Throws a Refusal. */
export function readHead(text: string): RequestHead {
  if (malformed.test(text)) throw badRequest()
  const lines = text.split('\r\n')
  const [, method = '', target = '', major, minor] = requestLine.exec(lines[0]!) ?? []
  if (!token.test(method) || !visible.test(target)) throw badRequest()
  if (major !== '1' || (minor !== '0' && minor !== '1'))
    throw new Refusal('505 HTTP Version Not Supported: unsupported protocol version')
  const isOld = minor === '0'
  const headers: HeaderFields = { __proto__: null } as never
  const raw: string[] = []
  for (let i = 1; i < lines.length; i++) readField(lines[i]!, headers, raw)
  const { url, authority } = readTarget(method, target)
  if (headers.host === undefined && !isOld) throw badRequest('missing required Host header')
  if (!host.test(headers.host ?? '')) throw badRequest('malformed Host header')
  // what the Host header says does not matter beside a whole URL
  if (authority !== undefined) headers.host = authority
  const framing = framingOf(headers, isOld)
  const options = headers.connection === undefined ? noOptions : listed(headers.connection)
  return {
    method,
    url,
    isOld,
    headers,
    raw,
    framing,
    keepAlive: isOld ? options.includes('keep-alive') && !options.includes('close') : !options.includes('close'),
    upgrade: framing === 0 && !isOld && options.includes('upgrade') ? headers.upgrade?.toLowerCase() || undefined : undefined,
    expectsContinue: readExpectation(headers, isOld) && framing !== 0
  }
}

const noOptions: readonly string[] = []
const listed = (value: string): string[] => value.toLowerCase().split(',').map(trimmed)

/** Without the spaces and tabs around it. */
function trimmed(value: string): string {
  let from = 0
  let to = value.length
  while (from < to && isBlank(value.charCodeAt(from))) from++
  while (to > from && isBlank(value.charCodeAt(to - 1))) to--
  return value.slice(from, to)
}
const isBlank = (code: number) => code === 0x20 || code === 0x09

/** Fields that decide who is asked and where the request ends: two of them mean two things to two readers. */
const once = new Set(['host', 'content-length', 'transfer-encoding'])

function readField(line: string, headers: HeaderFields, raw: string[]): void {
  const colon = line.indexOf(':')
  const written = line.slice(0, colon)
  if (colon < 0 || !token.test(written)) throw badRequest()
  const name = written.toLowerCase()
  const value = trimmed(line.slice(colon + 1))
  if (headers[name] !== undefined && once.has(name)) throw badRequest()
  raw.push(written, value)
  addField(headers, name, value)
}

/** Whether the fields of trailers are well-formed. Nothing else is done with them. */
export function checkTrailers(text: string): void {
  if (text === '') return
  if (malformed.test(text)) throw badRequest()
  for (const line of text.split('\r\n')) readField(line, { __proto__: null } as never, [])
}

function readTarget(method: string, target: string): { readonly url: string; readonly authority?: string | undefined } {
  // this is no proxy
  if (method === 'CONNECT') throw badRequest()
  if (target.startsWith('/') || target === '*') return { url: target }
  const [, authority, rest = ''] = absolute.exec(target) ?? []
  if (!authority || !host.test(authority)) throw badRequest()
  return { url: rest.startsWith('/') ? rest : `/${rest}`, authority }
}

function framingOf(headers: HeaderFields, isOld: boolean): BodyFraming {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (coding !== undefined) {
    if (length !== undefined || isOld) throw badRequest()
    if (coding.toLowerCase() !== 'chunked') throw new Refusal('501 Not Implemented', 'Unsupported transfer encoding')
    return 'chunked'
  }
  if (length === undefined) return 0
  if (!bodyLength.test(length)) throw badRequest()
  return Number(length)
}

function readExpectation({ expect }: HeaderFields, isOld: boolean): boolean {
  if (!expect || isOld) return false
  if (expect.toLowerCase() !== '100-continue') throw new Refusal('417 Expectation Failed', '')
  return true
}
