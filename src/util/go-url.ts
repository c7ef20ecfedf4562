/** Parses URLs as Go's net/url does, with its error messages. */
import { goQuote } from './go-format.js'
import { AddressError, parseAddress } from './go-netip.js'

export class UrlError extends Error {}

export interface GoUrl {
  readonly scheme: string
  /** The part after the scheme when it is not a path: mailto:x */
  readonly opaque: string
  /** User and password as they were given; undefined when there are none. */
  readonly user: string | undefined
  readonly host: string
  /** The path as it was given, still escaped. */
  readonly rawPath: string
  readonly rawQuery: string
  /** Whether the URL ends in "?". */
  readonly forceQuery: boolean
  readonly fragment: string
  readonly omitHost: boolean
}

/** Does what url.ParseRequestURI does: parses an absolute URI or a path, in which "#" has no special meaning. */
export function parseRequestUri(text: string): GoUrl {
  return withContext(text, () => parse(text, true, ''))
}

/** Whether Go's url.ParseRequestURI takes the text. */
export function isRequestUri(text: string): boolean {
  try {
    parseRequestUri(text)
    return true
  } catch (error) {
    if (error instanceof UrlError) return false
    throw error
  }
}

/** Does what url.Parse does. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf('#')
  const fragment = hash < 0 ? '' : text.slice(hash + 1)
  const url = withContext(hash < 0 ? text : text.slice(0, hash), () =>
    parse(hash < 0 ? text : text.slice(0, hash), false, fragment)
  )
  withContext(text, () => decode(fragment, 'fragment'))
  return url
}

function withContext<T>(text: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof UrlError ? new UrlError(`parse ${goQuote(text)}: ${error.message}`) : error
  }
}

function parse(text: string, viaRequest: boolean, fragment: string): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the refused characters
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlError('net/url: invalid control character in URL')
  if (text === '' && viaRequest) throw new UrlError('empty url')
  const none = { scheme: '', opaque: '', user: undefined, host: '', rawQuery: '', forceQuery: false, fragment, omitHost: false }
  if (text === '*') return { ...none, rawPath: '*' }
  const [scheme, afterScheme] = splitScheme(text)
  const question = afterScheme.indexOf('?')
  const forceQuery = question >= 0 && question === afterScheme.length - 1
  const rawQuery = question < 0 ? '' : afterScheme.slice(question + 1)
  let rest = question < 0 ? afterScheme : afterScheme.slice(0, question)
  const base = { ...none, scheme, rawQuery, forceQuery }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...base, opaque: rest, rawPath: '' }
    if (viaRequest) throw new UrlError('invalid URI for request')
    if (rest.split('/')[0]!.includes(':')) throw new UrlError('first path segment in URL cannot contain colon')
  }
  let authority = { user: undefined as string | undefined, host: '' }
  let omitHost = false
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2)
    authority = parseAuthority(scheme, end < 0 ? rest.slice(2) : rest.slice(2, end))
    rest = end < 0 ? '' : rest.slice(end)
  } else if (scheme !== '' && rest.startsWith('/')) omitHost = true
  decode(rest, 'path')
  return { ...base, ...authority, rawPath: rest, omitHost }
}

function splitScheme(text: string): [scheme: string, rest: string] {
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme')
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)
  return match ? [match[1]!.toLowerCase(), text.slice(match[0].length)] : ['', text]
}

function parseAuthority(scheme: string, authority: string): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf('@')
  const host = parseHost(scheme, authority.slice(at + 1))
  if (at < 0) return { user: undefined, host }
  const user = authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo')
  decode(user, 'user')
  return { user, host }
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[')
  if (open > 0) throw new UrlError('invalid IP-literal')
  if (open === 0) return parseIPLiteral(host)
  const first = host.indexOf(':')
  if (first >= 0) {
    const isWeb = scheme === 'http' || scheme === 'https'
    checkPort(host.slice(isWeb ? first : host.lastIndexOf(':')))
  }
  return decode(host, 'host')
}

function parseIPLiteral(host: string): string {
  const close = host.lastIndexOf(']')
  if (close < 0) throw new UrlError("missing ']' in host")
  const port = host.slice(close + 1)
  checkPort(port)
  const name = host.slice(1, close)
  const zone = name.indexOf('%25')
  const plain = zone < 0 ? decode(name, 'host') : decode(name.slice(0, zone), 'host') + decode(name.slice(zone), 'zone')
  try {
    if (parseAddress(plain).bytes.length === 4) throw new UrlError('invalid IP-literal')
  } catch (error) {
    throw error instanceof AddressError ? new UrlError(`invalid host: ${error.message}`) : error
  }
  return `[${plain}]${port}`
}

function checkPort(port: string): void {
  if (!/^(:\d*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`)
}

type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment' | 'query'

/** Characters that a host may contain unescaped. */
const hostCharacters = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\uffff]$/

function decode(text: string, part: Part): string {
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char === '%') {
      const hex = text.slice(i + 1, i + 3)
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new UrlError(`invalid URL escape ${goQuote(text.slice(i, i + 3))}`)
      const triplet = `%${hex}`
      if (part === 'host' && Number.parseInt(hex[0]!, 16) < 8 && triplet !== '%25')
        throw new UrlError(`invalid URL escape ${goQuote(triplet)}`)
      const plain = String.fromCharCode(Number.parseInt(hex, 16))
      if (part === 'zone' && triplet !== '%25' && plain !== ' ' && !hostCharacters.test(plain))
        throw new UrlError(`invalid URL escape ${goQuote(triplet)}`)
      i += 2
    } else if ((part === 'host' || part === 'zone') && !hostCharacters.test(char))
      throw new UrlError(`invalid character ${goQuote(char)} in host name`)
  }
  if (!text.includes('%') && part !== 'query') return text
  const spaced = part === 'query' ? text.replaceAll('+', ' ') : text
  return spaced.replace(/(?:%[0-9a-fA-F]{2})+/g, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

/** Does what url.EscapedPath does: returns the given path if it is escaped correctly, and otherwise escapes it anew. */
export function escapedPath({ rawPath }: GoUrl): string {
  if (/^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(rawPath)) return rawPath
  if (rawPath === '*') return '*'
  const bytes = Buffer.from(decode(rawPath, 'path'))
  return [...bytes]
    .map(b => (/[A-Za-z0-9\-_.~$&+,/:;=@]/.test(String.fromCharCode(b)) && b < 0x80 ? String.fromCharCode(b) : hexEscape(b)))
    .join('')
}

const hexEscape = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

export function hostname({ host }: GoUrl): string {
  return splitHost(host)[0]
}

export function port({ host }: GoUrl): string {
  return splitHost(host)[1]
}

function splitHost(host: string): [string, string] {
  const match = /^(.*):(\d*)$/.exec(host)
  const [name, port] = match ? [match[1]!, match[2]!] : [host, '']
  return [name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name, port]
}

/** Does what url.Query() does: pairs that cannot be read are left out. */
export function query({ rawQuery }: GoUrl): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    try {
      const key = decode(equals < 0 ? pair : pair.slice(0, equals), 'query')
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1), 'query')
      values.set(key, [...(values.get(key) ?? []), value])
    } catch (error) {
      if (!(error instanceof UrlError)) throw error
    }
  }
  return values
}

export function formatUrl(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`
  const end = (url.forceQuery || url.rawQuery !== '' ? `?${url.rawQuery}` : '') + (url.fragment === '' ? '' : `#${url.fragment}`)
  if (url.opaque !== '') return `${scheme}${url.opaque}${end}`
  const hasAuthority =
    url.host !== '' || url.user !== undefined || (url.scheme !== '' && !url.omitHost && url.rawPath.startsWith('//'))
  const authority = hasAuthority ? `//${url.user === undefined ? '' : `${url.user}@`}${url.host}` : ''
  return `${scheme}${authority}${escapedPath(url)}${end}`
}
