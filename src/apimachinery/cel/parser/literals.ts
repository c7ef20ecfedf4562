/** Converts the text of literals to values. */
import { UInt, type Value } from '../values/value.js'

export class LiteralError extends Error {}

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v'
}

const maxInt = 2n ** 63n - 1n
const maxUint = 2n ** 64n - 1n

export function intLiteral(sign: string, text: string): bigint {
  const value = BigInt(text) * (sign === '-' ? -1n : 1n)
  if (value > maxInt || value < -maxInt - 1n) throw new LiteralError('invalid int literal')
  return value
}

export function uintLiteral(text: string): UInt {
  const value = BigInt(text.slice(0, -1))
  if (value > maxUint) throw new LiteralError('invalid uint literal')
  return new UInt(value)
}

export function doubleLiteral(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new LiteralError('invalid double literal')
  return value
}

const unitPattern = /\\([xX]..|u.{4}|U.{8}|[0-3]..|.)|[^\\]/gsu

/** 'x', "x", r'x', '''x''' and their escapes. */
export function stringLiteral(text: string): string {
  const { body, raw } = unquote(text)
  if (raw || !body.includes('\\')) return body
  return body.replace(unitPattern, (unit, sequence: string | undefined) => {
    if (sequence === undefined) return unit
    const code = codeOf(sequence)
    if (code === undefined) return escapes[sequence] ?? sequence
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new LiteralError('invalid unicode code point')
    return String.fromCodePoint(code)
  })
}

/** b'x': the UTF-8 bytes of the text; \xff and \377 denote single bytes. */
export function bytesLiteral(text: string): Value {
  const { body, raw } = unquote(text.slice(1))
  if (raw || !body.includes('\\')) return new Uint8Array(Buffer.from(body))
  const parts: Buffer[] = []
  for (const [unit, sequence] of body.matchAll(unitPattern)) {
    if (sequence === undefined) parts.push(Buffer.from(unit))
    else if (/^[uU]/.test(sequence)) throw new LiteralError('unable to unescape string')
    else {
      const code = codeOf(sequence)
      parts.push(Buffer.from(code === undefined ? (escapes[sequence] ?? sequence) : [code]))
    }
  }
  return new Uint8Array(Buffer.concat(parts))
}

function codeOf(sequence: string): number | undefined {
  if (/^[xXuU]/.test(sequence)) return Number.parseInt(sequence.slice(1), 16)
  if (/^[0-3]/.test(sequence)) return Number.parseInt(sequence, 8)
  return undefined
}

function unquote(text: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(text)
  const quoted = (raw ? text.slice(1) : text).replace(/\r\n?/g, '\n')
  const quotes = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1
  return { body: quoted.slice(quotes, -quotes), raw }
}
