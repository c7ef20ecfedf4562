/** One field of a JSON object, as written in the text. */
export interface Member {
  readonly key: string
  readonly text: string
  readonly kind: JsonKind
}

/** Go's names of JSON types. */
export type JsonKind = 'string' | 'number' | 'bool' | 'null' | 'object' | 'array'

const space = /[ \t\r\n]*/y
const string = /"(?:[^"\\]|\\.)*"/y
const literal = /[^,}\] \t\r\n]+/y

/**
 * Returns the fields of a JSON object in order, including repeated ones, with their values as text. (JSON.parse keeps only the
 * last of repeated fields, and rounds numbers.) For any other value it returns the value's type; null has no fields. The text
 * must be well-formed.
 */
export function members(json: string): readonly Member[] | JsonKind {
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(json)![0]
    at += found.length
    return found
  }
  const takeValue = (): string => {
    const char = json[at]
    if (char === '"') return take(string)
    if (char !== '{' && char !== '[') return take(literal)
    const from = at
    let depth = 0
    do {
      const next = json[at]
      if (next === '"') {
        take(string)
        continue
      }
      if (next === '{' || next === '[') depth++
      else if (next === '}' || next === ']') depth--
      at++
    } while (depth > 0)
    return json.slice(from, at)
  }
  take(space)
  if (json[at] !== '{') {
    const kind = kindOf(json[at]!)
    return kind === 'null' ? [] : kind
  }
  const found: Member[] = []
  at++
  for (take(space); json[at] !== '}'; take(space)) {
    if (json[at] === ',') {
      at++
      take(space)
    }
    const key: string = JSON.parse(take(string))
    take(space)
    at++
    take(space)
    const kind = kindOf(json[at]!)
    found.push({ key, text: takeValue(), kind })
  }
  return found
}

function kindOf(first: string): JsonKind {
  switch (first) {
    case '"':
      return 'string'
    case '{':
      return 'object'
    case '[':
      return 'array'
    case 't':
    case 'f':
      return 'bool'
    case 'n':
      return 'null'
    default:
      return 'number'
  }
}
