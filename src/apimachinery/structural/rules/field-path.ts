/** Parses the fieldPath of a rule, ".spec['a-b'].c", which names the field at which its failures are reported. */
import { Path } from '../../validation/field.js'
import type { StructuralSchema } from '../structural.js'

const tokenPattern = /'(?:[^'\\]|\\[\s\S])+'|[.[\]]|[^.[\]]+/g
const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\'
}

/** Returns the path relative to the rule, as errors show it; undefined for a path that does not lead to a declared field. */
export function ruleFieldPath(text: string, schema: StructuralSchema): string | undefined {
  const tokens = text.match(tokenPattern) ?? []
  let path: Path | undefined
  let current: StructuralSchema | undefined = schema
  for (let i = 0; i < tokens.length; ) {
    const isIndex: boolean = tokens[i] === '['
    if ((!isIndex && tokens[i] !== '.') || tokens[i + 1] === undefined || (isIndex && tokens[i + 2] !== ']')) return undefined
    const name: string | undefined = isIndex ? unquoted(tokens[i + 1]!) : tokens[i + 1]!
    if (name === undefined || !current) return undefined
    const isField: boolean = current.properties !== undefined
    if (!isField && typeof current.additionalProperties !== 'object') return undefined
    path = isField ? (path?.child(name) ?? Path.of(name)) : path ? path.key(name) : Path.of(`[${name}]`)
    current = isField ? current.properties!.get(name) : (current.additionalProperties as StructuralSchema)
    if (!current) return undefined
    i += isIndex ? 3 : 2
  }
  return path ? String(path) : ''
}

function unquoted(token: string): string | undefined {
  if (!/^'[\s\S]*'$/.test(token) || token.length < 2) return undefined
  let valid = true
  const text = token.slice(1, -1).replace(/\\(.)/g, (_, char: string) => {
    if (!Object.hasOwn(escapes, char)) valid = false
    return escapes[char] ?? ''
  })
  return valid ? text : undefined
}
