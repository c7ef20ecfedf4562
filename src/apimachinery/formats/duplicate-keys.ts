/**
 * Finds repeated keys, which JSON.parse hides. One quick pass over a document that JSON.parse has accepted detects possible
 * duplicates; only then is the document read again, to find their paths.
 */
import { strictFindings } from './strict-fields.js'

export interface JsonScan {
  /** Paths of repeated keys, such as "metadata.labels.l", each once, in the order of the document. */
  readonly duplicates: readonly string[]
  /** True when a number has an exponent, and so may overflow a double. */
  readonly hasExponents: boolean
  /** True when a number has an exponent or a fraction. */
  readonly hasFractions: boolean
  /** How deep objects and lists nest. */
  readonly depth: number
}

const none: readonly string[] = []

/** Up to this many keys of an object are compared one by one; beyond it, a Set is used. */
const fewKeys = 24

const quote = 0x22
const backslash = 0x5c

/** Scans well-formed JSON. Runs for every write, so it allocates almost nothing for ordinary objects. */
export function scanJson(text: string): JsonScan {
  // Keys of all open objects: hash and position, and for each container where its keys begin (-1: a list).
  const hashes: number[] = []
  const positions: number[] = []
  const starts: number[] = []
  const sets: (Set<string> | undefined)[] = []
  let top = 0
  let start = -1
  let set: Set<string> | undefined
  let depth = 0
  let keyNext = false
  let suspect = false
  let hasExponents = false
  let hasPoints = false

  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    switch (char) {
      case quote: {
        const from = i + 1
        if (!keyNext) {
          i = endOfString(text, from)
          break
        }
        keyNext = false
        let hash = 0
        let c: number
        while ((c = text.charCodeAt(++i)) !== quote && i < text.length) {
          if (c === backslash) {
            c = text.charCodeAt(++i)
            // A key can have two spellings only with one of these two escapes. The exact pass decides.
            if (c === 0x75 || c === 0x2f) suspect = true
          }
          hash = (Math.imul(hash, 31) + c) | 0
        }
        if (suspect) break
        if (set) {
          const key = text.slice(from, i)
          if (set.has(key)) suspect = true
          set.add(key)
          break
        }
        for (let k = start; k < top; k++) if (hashes[k] === hash) suspect = true
        hashes[top] = hash
        positions[top++] = from
        if (top - start > fewKeys) {
          set = new Set()
          for (let k = start; k < top; k++) set.add(text.slice(positions[k]!, endOfString(text, positions[k]!)))
        }
        break
      }
      case 0x7b: // {
      case 0x5b: // [
        starts.push(start)
        sets.push(set)
        if (starts.length > depth) depth = starts.length
        keyNext = char === 0x7b
        start = keyNext ? top : -1
        set = undefined
        break
      case 0x7d: // }
      case 0x5d: // ]
        if (start >= 0) top = start
        start = starts.pop() ?? -1
        set = sets.pop()
        keyNext = false
        break
      case 0x65: // e, as in true and false
      case 0x45: // E
        if (text.charCodeAt(i - 1) <= 0x39) hasExponents = true
        break
      case 0x2e: // .
        hasPoints = true
        break
      case 0x2c: // ,
        keyNext = start >= 0
        break
    }
  }
  return { duplicates: suspect ? duplicatePaths(text) : none, hasExponents, hasFractions: hasExponents || hasPoints, depth }
}

/** Returns the position of the quote that ends the string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let i = from
  for (;;) {
    const c = text.charCodeAt(i)
    if (c === quote || i >= text.length) return i
    i += c === backslash ? 2 : 1
  }
}

/** Returns the first number that overflows a double. */
export function endlessNumber(text: string): string | undefined {
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g))
    if (found[0] !== '"' && !Number.isFinite(Number(found))) return found
  return undefined
}

function duplicatePaths(text: string): string[] {
  return strictFindings(text, 'any')
    .filter(f => f.problem === 'duplicate field')
    .map(f => f.path)
}
