/** Reads the header Range (RFC 9110, section 14) as Go's net/http does. */
export interface ByteRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** Why no part of the content can be sent, in Go's words. */
export type RangeFailure = 'invalid range' | 'invalid range: failed to overlap'

/** More parts are answered with the whole content: each costs a head of its own. */
const maxRanges = 1000

/** Returns the parts of a content of `size` bytes. No part stands for the whole content. */
export function readRanges(header: string, size: number): readonly ByteRange[] | RangeFailure {
  const prefix = 'bytes='
  if (!header.startsWith(prefix)) return 'invalid range'
  const ranges: ByteRange[] = []
  let isBeyond = false
  for (const item of header.slice(prefix.length).split(',')) {
    const text = item.trim()
    if (text === '') continue
    const dash = text.indexOf('-')
    if (dash < 0) return 'invalid range'
    const [first, last] = [text.slice(0, dash).trim(), text.slice(dash + 1).trim()]
    const range = first === '' ? suffix(last, size) : span(first, last, size)
    if (!range) return 'invalid range'
    if (first !== '' && range.start >= size) isBeyond = true
    else ranges.push(range)
  }
  if (isBeyond && ranges.length === 0) return 'invalid range: failed to overlap'
  // a client that asks for more than there is wants to do harm
  const total = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  return total > size || ranges.length > maxRanges ? [] : ranges
}

/** Undefined for text that is no number. */
const numberOf = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

function suffix(text: string, size: number): ByteRange | undefined {
  const length = numberOf(text)
  return length === undefined ? undefined : { start: Math.max(0, size - length), end: size }
}

function span(first: string, last: string, size: number): ByteRange | undefined {
  const start = numberOf(first)
  if (start === undefined) return undefined
  if (start >= size || last === '') return { start, end: size }
  const end = numberOf(last)
  if (end === undefined || start > end) return undefined
  return { start, end: Math.min(end + 1, size) }
}
