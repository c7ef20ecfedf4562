import { ofConnections } from './request-headers.js'
import { staticTable } from './static-table.js'

/**
 * Encodes the headers of answers (HPACK, RFC 7541) without a dynamic table. So the bytes of a name or a status are the same for all
 * connections, and are encoded once; values are written as they are. This costs some hundred bytes per answer and saves most of the
 * time of compression.
 */

const staticNames = new Map<string, number>()
const staticStatuses = new Map<string, number>()
for (const [i, [name, value]] of staticTable.entries()) {
  if (!staticNames.has(name)) staticNames.set(name, i + 1)
  if (name === ':status') staticStatuses.set(value, i + 1)
}

/** Encoded names and statuses. Other servers, whose answers are passed on, could send any number of names. */
const kept = new Map<string, string>()
const mostKept = 1000

/** An integer behind the bits of `pattern`, of which `mask` are the integer's own (RFC 7541, section 5.1). */
function integer(pattern: number, mask: number, value: number): string {
  if (value < mask) return String.fromCharCode(pattern | value)
  let text = String.fromCharCode(pattern | mask)
  let rest = value - mask
  for (; rest >= 128; rest = Math.floor(rest / 128)) text += String.fromCharCode((rest % 128) | 128)
  return text + String.fromCharCode(rest)
}

const plain = (value: string) => integer(0, 0x7f, value.length) + value

/** Keeps what `make` returns for the key. */
function keep(key: string, make: () => string): string {
  let encoded = kept.get(key)
  if (encoded !== undefined) return encoded
  encoded = make()
  if (kept.size < mostKept) kept.set(key, encoded)
  return encoded
}

/** Empty for headers that HTTP/2 does not have. */
function encodedName(name: string): string {
  const lower = name.toLowerCase()
  if (ofConnections.has(lower)) return ''
  const index = staticNames.get(lower)
  return index === undefined ? `\0${plain(lower)}` : integer(0, 0x0f, index)
}

function encodedStatus(status: string): string {
  const index = staticStatuses.get(status)
  return index === undefined ? encodedName(':status') + plain(status) : integer(0x80, 0x7f, index)
}

const invalidValue = /[^\t\x20-\x7e\x80-\xff]/

/** Throws TypeError for characters that a header cannot have. */
function encodedValue(name: string, value: string): string {
  if (invalidValue.test(value)) throw new TypeError(`invalid character in the header ${name}`)
  return plain(value)
}

/** The header block of an answer, one character for each byte. Leaves out the headers that only have a meaning for HTTP/1. */
export function encodeHeaders(status: number, headers: Readonly<Record<string, string | string[]>>): string {
  const code = String(status)
  let block = keep(code, () => encodedStatus(code))
  for (const name in headers) {
    const value = headers[name]!
    const start = keep(name, () => encodedName(name))
    if (start === '') continue
    if (typeof value === 'string') block += start + encodedValue(name, value)
    else for (const each of value) block += start + encodedValue(name, each)
  }
  return block
}
