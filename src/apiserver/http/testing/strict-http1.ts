/** A second, slow and strict reader of HTTP/1.1, which shares no code with the server: what do these bytes ask for? */
import { createHash } from 'node:crypto'

/** What a server understands of one request. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly length: number
  /** SHA-256 of the body. */
  readonly hash: string
}

export interface Reading {
  readonly requests: readonly Seen[]
  /** What comes after these requests: nothing, because the client wanted to close; bytes that must be refused; or too few bytes. */
  readonly end: 'closed' | 'refused' | 'incomplete'
}

export const seen = (method: string, path: string, body: Buffer): Seen => ({
  method,
  path,
  length: body.length,
  hash: createHash('sha256').update(body).digest('hex')
})

class Wrong extends Error {}
class TooShort extends Error {}

const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
const hostCharacters = "!$%&'()*+,-.:;=[]_~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const must = (holds: boolean): void => {
  if (!holds) throw new Wrong()
}
const all = (text: string, characters: string) => [...text].every(character => characters.includes(character))
const without = (text: string) => text.replace(/^[ \t]*/, '').replace(/[ \t]*$/, '')

export function strictReading(bytes: Buffer): Reading {
  const requests: Seen[] = []
  let rest = bytes.toString('latin1')

  /** Takes a line. Its end is CR LF; a CR or LF elsewhere is wrong, as are all other control characters but tabs. */
  const line = (): string => {
    for (let i = 0; i < rest.length; i++) {
      const character = rest[i]!
      if (character === '\r' && rest[i + 1] === '\n') {
        const found = rest.slice(0, i)
        rest = rest.slice(i + 2)
        return found
      }
      if (character === '\r' && i + 1 === rest.length) throw new TooShort()
      must(character === '\t' || (character >= ' ' && character !== '\x7f'))
    }
    throw new TooShort()
  }
  const take = (length: number): string => {
    if (rest.length < length) throw new TooShort()
    const found = rest.slice(0, length)
    rest = rest.slice(length)
    return found
  }
  const fields = (): [string, string][] => {
    const found: [string, string][] = []
    for (let one = line(); one !== ''; one = line()) {
      const [name = '', ...values] = one.split(':')
      must(values.length > 0 && name !== '' && all(name, tokenCharacters))
      found.push([name.toLowerCase(), without(values.join(':'))])
    }
    return found
  }
  const chunks = (): string => {
    let body = ''
    for (;;) {
      const [size = ''] = line().split(';')
      must(size !== '' && size.length <= 12 && all(size, '0123456789abcdefABCDEF'))
      const length = Number.parseInt(size, 16)
      if (length === 0) break
      body += take(length)
      if (rest.length < 2 && '\r\n'.startsWith(rest)) throw new TooShort()
      must(take(2) === '\r\n')
    }
    fields()
    return body
  }

  /** Returns whether the client goes on. */
  const request = (): boolean => {
    if (rest.startsWith('\r\n')) rest = rest.slice(2)
    // the whole head comes before anything is made of it
    const head = line()
    const found = fields()
    const parts = head.split(' ')
    must(parts.length === 3)
    const [method = '', target = '', version = ''] = parts
    must(method !== '' && all(method, tokenCharacters) && method !== 'CONNECT')
    must(version === 'HTTP/1.0' || version === 'HTTP/1.1')
    must(target !== '' && !target.includes('\t'))
    const values = (name: string) => found.filter(([one]) => one === name).map(([, value]) => value)
    for (const name of ['host', 'content-length', 'transfer-encoding']) must(values(name).length <= 1)
    const [host] = values('host')
    must(host !== undefined || version === 'HTTP/1.0')
    must(all(host ?? '', hostCharacters))
    const [length] = values('content-length')
    const [coding] = values('transfer-encoding')
    must(length === undefined || (length !== '' && length.length <= 15 && all(length, '0123456789')))
    must(coding === undefined || (length === undefined && version === 'HTTP/1.1' && coding.toLowerCase() === 'chunked'))
    const expects = values('expect').join(', ')
    must(version === 'HTTP/1.0' || expects === '' || expects.toLowerCase() === '100-continue')
    const path = pathOf(target)
    const body = coding === undefined ? take(Number(length ?? 0)) : chunks()
    requests.push(seen(method, path, Buffer.from(body, 'latin1')))
    const options = values('connection').join(',').toLowerCase().split(',').map(without)
    return !options.includes('close') && (version === 'HTTP/1.1' || options.includes('keep-alive'))
  }

  try {
    while (request());
    return { requests, end: 'closed' }
  } catch (error) {
    if (error instanceof TooShort) return { requests, end: 'incomplete' }
    if (error instanceof Wrong) return { requests, end: 'refused' }
    throw error
  }
}

function pathOf(target: string): string {
  if (target[0] === '/' || target === '*') return target
  const scheme = ['http://', 'https://'].find(start => target.toLowerCase().startsWith(start))
  must(scheme !== undefined)
  const rest = target.slice(scheme!.length)
  const end = [...rest].findIndex(character => '/?#'.includes(character))
  const authority = end < 0 ? rest : rest.slice(0, end)
  must(authority !== '' && all(authority, hostCharacters))
  const path = end < 0 ? '' : rest.slice(end)
  return path[0] === '/' ? path : `/${path}`
}
