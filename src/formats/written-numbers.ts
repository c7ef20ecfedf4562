/**
 * Numbers as they are written. Go refuses `1.0` and `1e2` for a field that is an integer, and quotes them so; after JSON.parse they look
 * like 1 and 100. Bodies with such numbers are rare: only these are decoded a second time, with a stand-in for each.
 */

/** A part that no sensible number has, and that a double holds exactly. */
const standInPart = 0.0009765625

export interface WrittenNumbers {
  /** The document with stand-ins, which are fractions, so that an integer field refuses them. */
  readonly text: string
  /** Puts the numbers as they are written into an error about stand-ins. */
  restore(message: string): string
}

/** Different numbers that one document may have so written: objects have a handful. One with more is read as JavaScript reads it. */
const mostNumbers = 1000

/** Returns undefined when every number of the well-formed JSON is written as JavaScript writes it. */
export function writtenNumbers(text: string): WrittenNumbers | undefined {
  const standIns = new Map<string, string>()
  const parts: string[] = []
  let copied = 0
  for (const [from, to] of numbersIn(text)) {
    const found = text.slice(from, to)
    if (!/[.eE]/.test(found) || String(Number(found)) === found) continue
    let standIn = standIns.get(found)
    if (standIn === undefined) {
      if (standIns.size === mostNumbers) return undefined
      standIns.set(found, (standIn = String(standIns.size + standInPart)))
    }
    parts.push(text.slice(copied, from), standIn)
    copied = to
  }
  if (standIns.size === 0) return undefined
  const written = new Map([...standIns].map(([number, standIn]) => [standIn, number]))
  return {
    text: parts.join('') + text.slice(copied),
    restore: message =>
      message.replace(/\bnumber (\S+)/, (all, number) => (written.has(number) ? `number ${written.get(number)}` : all))
  }
}

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const isDigit = (char: number) => char >= 0x30 && char <= 0x39
/** Digits, and `.`, `e`, `E`, `+`, `-`. */
const isPart = (char: number) =>
  isDigit(char) || char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === minus

/** The places of the numbers outside of strings. A pattern would take a hundred times as long for a string of escapes. */
function* numbersIn(text: string): Generator<readonly [from: number, to: number]> {
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      while (text.charCodeAt(++i) !== quote) if (text.charCodeAt(i) === backslash) i++
    } else if (char === minus || isDigit(char)) {
      const from = i
      while (isPart(text.charCodeAt(i + 1))) i++
      yield [from, i + 1]
    }
  }
}
