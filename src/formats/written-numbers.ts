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

/** Returns undefined when every number of the well-formed JSON is written as JavaScript writes it. */
export function writtenNumbers(text: string): WrittenNumbers | undefined {
  const written = new Map<string, string>()
  const replaced = text.replace(/"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g, found => {
    if (!/[.eE]/.test(found) || found[0] === '"' || String(Number(found)) === found) return found
    const standIn = String(written.size + standInPart)
    written.set(standIn, found)
    return standIn
  })
  if (written.size === 0) return undefined
  return {
    text: replaced,
    restore: message =>
      message.replace(/\bnumber (\S+)/, (all, number) => (written.has(number) ? `number ${written.get(number)}` : all))
  }
}
