/**
 * Limits how many values a body may contain: keys, elements, objects and lists. Each value costs microseconds at every step of
 * the request, although the smallest takes only a byte or two, so one request could contain a million. Objects that fit into etcd
 * are far below the limit.
 */
import { tooManyValues } from '../status/status.js'

export const maxValues = 100_000
/**
 * The most keys of one object. Each key has to be looked up among all others, so keys cost several times as much as other values.
 */
export const maxKeys = 50 * 1024

/** Any stored form of an object that has as many keys as that is longer. */
export const fewestBytesOfKeys = 256 * 1024

/** Throws 413 for an object that patches have given more keys than a body may have. The set of a manager's fields has one more. */
export const checkGrownKeys = (json: Buffer): void => checkValueCount(json, Number.POSITIVE_INFINITY, maxKeys + 1)

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const openBrace = 0x7b
const closeBracket = 0x5d
const closeBrace = 0x7d
const colon = 0x3a

/** Throws 413 for a JSON text with more values than `most`. Counts before the text is parsed; the text need not be well-formed. */
export function checkValueCount(json: Buffer, most = maxValues, mostKeys = maxKeys): void {
  if (json.length <= maxKeys) return
  let values = 0
  let keys = 0
  const outside: number[] = []
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!
    if (byte === quote) {
      i = endOfString(json, i + 1)
      continue
    }
    if (byte === closeBrace || byte === closeBracket) keys = outside.pop() ?? 0
    else if (byte === colon && ++keys > mostKeys) throw tooManyValues(maxKeys, 'keys in an object')
    if (byte !== comma && byte !== openBracket && byte !== openBrace) continue
    if (++values > most) throw tooManyValues(most)
    if (byte === comma) continue
    outside.push(keys)
    keys = 0
  }
}

/** Returns the position of the quote that ends the string whose first byte is at `from`. */
function endOfString(json: Buffer, from: number): number {
  for (let end = json.indexOf(quote, from); end >= 0; end = json.indexOf(quote, end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === backslash && end - 1 - escapes >= from) escapes++
    if (escapes % 2 === 0) return end
  }
  return json.length
}
