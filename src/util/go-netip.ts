/** Parses IP addresses as Go's net/netip does, with its error messages. */
import { goQuote } from './go-format.js'

export class AddressError extends Error {}

export interface Address {
  /** The 4 or 16 bytes of the address. */
  readonly bytes: readonly number[]
  readonly zone: string
}

export function parseAddress(text: string): Address {
  for (const char of text) {
    if (char === '.') return { bytes: parseIPv4(text, text), zone: '' }
    if (char === ':') return parseIPv6(text)
    if (char === '%') throw wrong(text, 'missing IPv6 address')
  }
  throw wrong(text, 'unable to parse IP')
}

function wrong(text: string, why: string, at = ''): AddressError {
  return new AddressError(`ParseAddr(${goQuote(text)}): ${why}${at === '' ? '' : ` (at ${goQuote(at)})`}`)
}

/** `part` is the whole address, or the IPv4 end of an IPv6 address. */
function parseIPv4(address: string, part: string): number[] {
  const bytes: number[] = []
  let value = 0
  let digits = 0
  for (let i = 0; i < part.length; i++) {
    const char = part[i]!
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) throw wrong(address, 'IPv4 field has octet with leading zero')
      value = value * 10 + Number(char)
      digits++
      if (value > 255) throw wrong(address, 'IPv4 field has value >255')
    } else if (char === '.') {
      if (i === 0 || i === part.length - 1 || part[i - 1] === '.')
        throw wrong(address, 'IPv4 field must have at least one digit', part.slice(i))
      if (bytes.length === 3) throw wrong(address, 'IPv4 address too long')
      bytes.push(value)
      value = 0
      digits = 0
    } else throw wrong(address, 'unexpected character', part.slice(i))
  }
  if (bytes.length < 3) throw wrong(address, 'IPv4 address too short')
  return [...bytes, value]
}

function parseIPv6(address: string): Address {
  const percent = address.indexOf('%')
  const zone = percent < 0 ? '' : address.slice(percent + 1)
  if (percent >= 0 && zone === '') throw wrong(address, 'zone must be a non-empty string')
  let rest = percent < 0 ? address : address.slice(0, percent)
  const bytes: number[] = []
  let gap = -1
  if (rest.startsWith('::')) {
    gap = 0
    rest = rest.slice(2)
  }
  while (rest !== '' && bytes.length < 16) {
    const hex = /^[0-9a-fA-F]*/.exec(rest)![0]
    if (hex.length > 4) throw wrong(address, 'each group must have 4 or less digits', rest)
    if (hex === '') throw wrong(address, 'each colon-separated field must have at least one digit', rest)
    if (rest[hex.length] === '.') {
      if (gap < 0 && bytes.length !== 12)
        throw wrong(address, 'embedded IPv4 address must replace the final 2 fields of the address', rest)
      if (bytes.length > 12) throw wrong(address, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest)
      bytes.push(...parseIPv4(address, rest))
      rest = ''
      break
    }
    const value = Number.parseInt(hex, 16)
    bytes.push(value >> 8, value & 255)
    rest = rest.slice(hex.length)
    if (rest === '') break
    if (rest[0] !== ':') throw wrong(address, 'unexpected character, want colon', rest)
    if (rest.length === 1) throw wrong(address, 'colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (rest[0] === ':') {
      if (gap >= 0) throw wrong(address, 'multiple :: in address', rest)
      gap = bytes.length
      rest = rest.slice(1)
    }
  }
  if (rest !== '') throw wrong(address, 'trailing garbage after address', rest)
  if (bytes.length === 16) {
    if (gap >= 0) throw wrong(address, 'the :: must expand to at least one field of zeros')
  } else if (gap < 0) throw wrong(address, 'address string too short')
  else bytes.splice(gap, 0, ...new Array<number>(16 - bytes.length).fill(0))
  return { bytes, zone }
}

/** Whether the address is IPv4 mapped into IPv6: ::ffff:1.2.3.4. */
export function isIPv4InIPv6({ bytes }: Address): boolean {
  return bytes.length === 16 && bytes.slice(0, 10).every(b => b === 0) && bytes[10] === 255 && bytes[11] === 255
}

/** Returns the canonical text: IPv6 in lower case, with the longest run of zero groups shortened. */
export function formatAddress(address: Address): string {
  const { bytes, zone } = address
  const suffix = zone === '' ? '' : `%${zone}`
  if (bytes.length === 4) return bytes.join('.')
  if (isIPv4InIPv6(address)) return `::ffff:${bytes.slice(12).join('.')}${suffix}`
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!)
  let start = -1
  let length = 1
  for (let i = 0; i < 8; i++) {
    let end = i
    while (end < 8 && groups[end] === 0) end++
    if (end - i > length) {
      start = i
      length = end - i
    }
  }
  const hex = (part: number[]) => part.map(g => g.toString(16)).join(':')
  return (start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`) + suffix
}

export interface Prefix {
  readonly address: Address
  readonly bits: number
}

export function parsePrefix(text: string): Prefix {
  const wrongPrefix = (why: string) => new AddressError(`netip.ParsePrefix(${goQuote(text)}): ${why}`)
  const slash = text.lastIndexOf('/')
  if (slash < 0) throw wrongPrefix("no '/'")
  const address = prefixAddress(text.slice(0, slash), wrongPrefix)
  if (address.zone !== '') throw wrongPrefix('IPv6 zones cannot be present in a prefix')
  const bits = text.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,17})$/.test(bits)) throw wrongPrefix(`bad bits after slash: ${goQuote(bits)}`)
  if (Number(bits) > address.bytes.length * 8) throw wrongPrefix('prefix length out of range')
  return { address, bits: Number(bits) }
}

function prefixAddress(text: string, wrongPrefix: (why: string) => AddressError): Address {
  try {
    return parseAddress(text)
  } catch (error) {
    throw error instanceof AddressError ? wrongPrefix(error.message) : error
  }
}

/** Returns the address with all bits beyond the prefix cleared. */
export function masked({ address, bits }: Prefix): Address {
  const bytes = address.bytes.map((byte, i) => {
    const kept = Math.max(0, Math.min(8, bits - i * 8))
    return byte & (0xff00 >> kept) & 0xff
  })
  return { bytes, zone: '' }
}

/** Whether the first `bits` bits are the same. */
export function samePrefix(a: Address, b: Address, bits: number): boolean {
  if (a.bytes.length !== b.bytes.length) return false
  const x = masked({ address: a, bits }).bytes
  const y = masked({ address: b, bits }).bytes
  return x.every((byte, i) => byte === y[i])
}
