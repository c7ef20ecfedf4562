/** Writes CBOR for people (RFC 8949, section 8): some errors quote a whole body in this form. */
import { isUtf8 } from 'node:buffer'
import { Cursor, major } from './cursor.js'

/** Writes one well-formed data item in diagnostic notation. */
export function diagnose(bytes: Buffer): string {
  const parts: string[] = []
  write(new Cursor(bytes), parts)
  return parts.join('')
}

function write(cursor: Cursor, parts: string[]): void {
  // tags may stand in tags thousands deep, too deep for calls
  let tags = 0
  for (; cursor.nextType === major.tag; tags++) {
    cursor.readHead()
    parts.push(`${cursor.argument}(`)
  }
  writeUntagged(cursor, parts)
  if (tags > 0) parts.push(')'.repeat(tags))
}

function writeUntagged(cursor: Cursor, parts: string[]): void {
  const { at, bytes } = cursor
  cursor.readHead()
  const { type, argument } = cursor
  switch (type) {
    case major.unsigned:
      parts.push(String(argument))
      return
    case major.negative:
      parts.push(String(-1n - BigInt(argument)))
      return
    case major.bytes:
    case major.text:
      if (!cursor.isIndefinite) parts.push(stringOf(cursor))
      else if (cursor.takeBreak()) parts.push(type === major.bytes ? "''_" : '""_')
      else writeItems(cursor, ['(_ ', ')'], parts)
      return
    case major.list:
      writeItems(cursor, cursor.isIndefinite ? ['[_ ', ']'] : ['[', ']'], parts)
      return
    case major.map:
      writeItems(cursor, cursor.isIndefinite ? ['{_ ', '}'] : ['{', '}'], parts, true)
      return
    default:
      parts.push(simpleOf(cursor, bytes[at]!))
  }
}

function writeItems(cursor: Cursor, [open, close]: [string, string], parts: string[], isMap = false): void {
  const length = cursor.isIndefinite ? Number.POSITIVE_INFINITY : Number(cursor.argument)
  parts.push(open)
  for (let i = 0; i < length; i++) {
    if (length === Number.POSITIVE_INFINITY && cursor.takeBreak()) break
    if (i > 0) parts.push(', ')
    write(cursor, parts)
    if (!isMap) continue
    parts.push(': ')
    write(cursor, parts)
  }
  parts.push(close)
}

function stringOf(cursor: Cursor): string {
  const isText = cursor.type === major.text
  const end = cursor.at + Number(cursor.argument)
  const bytes = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  if (isText || (bytes.length > 0 && isUtf8(bytes))) return quoted(bytes.toString(), isText ? '"' : "'")
  return `h'${bytes.toString('hex')}'`
}

const short: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const quoted = (text: string, quote: string) =>
  `${quote}${text.replace(/[^ -~]|["'\\]/g, char => {
    if (char === '\\' || char === quote) return `\\${char}`
    if (char === '"' || char === "'") return char
    return short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })}${quote}`

const named: Readonly<Record<number, string>> = { 244: 'false', 245: 'true', 246: 'null', 247: 'undefined' }

function simpleOf(cursor: Cursor, head: number): string {
  if (cursor.info < 25) return named[head] ?? `simple(${cursor.argument})`
  const float = cursor.float()
  const text = Object.is(float, -0) ? '-0' : String(float)
  if (text.includes('.')) return text
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`
}
