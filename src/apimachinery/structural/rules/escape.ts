/** Escapes property names for expressions: "a-b" becomes a__dash__b, "namespace" becomes __namespace__. */

import { reservedWords } from '../../cel/parser/reserved.js'

const escapes: Record<string, string> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' }
const unescapes = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/']
])

/** Returns undefined for names that cannot be escaped. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  return reservedWords.has(name) ? `__${name}__` : name.replace(/__|[./-]/g, part => escapes[part]!)
}

/** Returns undefined for a text that is not the escape of a name. */
export function unescapeName(escaped: string): string | undefined {
  let valid = true
  const name = escaped.replace(/__([^_]+)__/g, (part, inner: string) => {
    const plain = unescapes.get(inner)
    if (plain !== undefined) return plain
    if (!reservedWords.has(inner) || part.length !== escaped.length) valid = false
    return inner
  })
  return valid ? name : undefined
}
