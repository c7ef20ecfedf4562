/** Parses Accept headers as kube-apiserver does (goautoneg): literally, and case-sensitively. */

export interface Clause {
  readonly type: string
  readonly subtype: string
  readonly params: ReadonlyMap<string, string>
  readonly weight: number
}

/** What is read of a header; what is beyond is ignored. Browsers send some hundred characters, client-go some dozens. */
export const maxAcceptCharacters = 16 * 1024

/** Returns the items of a header that is a list, as far as it is read. */
function itemsOf(header: string): string[] {
  if (header.length <= maxAcceptCharacters) return header.split(',')
  // an item that is cut off would mean something else
  return header.slice(0, maxAcceptCharacters).split(',').slice(0, -1)
}

const trimSpaces = (text: string) => text.replace(/^ +| +$/g, '')

/** Returns undefined for an invalid media type, which is ignored. */
function parseClause(text: string): Clause | undefined {
  const [range = '', ...rest] = trimSpaces(text).split(';')
  const slash = range.indexOf('/')
  const type = trimSpaces(slash < 0 ? range : range.slice(0, slash))
  let subtype = slash < 0 ? '' : range.slice(slash + 1)
  if (subtype === '') {
    if (type !== '*') return undefined
    subtype = '*'
  }
  // no text may follow a second slash
  if (/\/./.test(subtype)) return undefined
  subtype = trimSpaces(subtype.replace('/', ''))
  const params = new Map<string, string>()
  let weight = 1
  for (const param of rest) {
    const [, name, value] = /^([^=]*)=(?!$)([^=]*)=?$/.exec(param) ?? []
    if (name === undefined || value === undefined) continue
    if (trimSpaces(name) === 'q') weight = parseWeight(value)
    else params.set(trimSpaces(name), trimSpaces(value))
  }
  return { type, subtype, params, weight }
}

/** Returns 0 for an invalid weight. */
function parseWeight(text: string): number {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : 0
  return Math.fround(number)
}

/**
 * Higher weights first, wildcards after types of equal weight. This is no strict weak ordering, so the sorting algorithm affects
 * the result.
 */
function precedes(a: Clause, b: Clause): boolean {
  return a.weight > b.weight || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*')
}

/** Up to this many clauses Go uses insertion sort, whose result clients can observe. For more clauses Go specifies no order. */
const maxInsertion = 12

/** Returns the clauses, preferred ones first. */
export function parseAccept(header: string): Clause[] {
  const clauses = itemsOf(header).flatMap(text => parseClause(text) ?? [])
  if (clauses.length > maxInsertion) return clauses.sort((a, b) => b.weight - a.weight)
  for (let i = 1; i < clauses.length; i++)
    for (let j = i; j > 0 && precedes(clauses[j]!, clauses[j - 1]!); j--)
      [clauses[j], clauses[j - 1]] = [clauses[j - 1]!, clauses[j]!]
  return clauses
}

export function covers({ type, subtype }: Clause, mediaType: string): boolean {
  const [wantedType, wantedSubtype] = mediaType.split('/')
  return (type === '*' && subtype === '*') || (type === wantedType && (subtype === '*' || subtype === wantedSubtype))
}

/** Whether a route accepts a header that lists media types: Accept or Content-Type. */
export function namesOneOf(header: string, types: readonly string[], anything: boolean): boolean {
  return itemsOf(header).some(part => {
    const type = trimSpaces(part.split(';', 1)[0]!)
    return (anything && type === '*/*') || types.includes(type)
  })
}
