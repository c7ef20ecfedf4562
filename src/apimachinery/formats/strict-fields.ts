/**
 * Finds duplicate and unknown fields of a JSON text, in the order and with the paths that kube-apiserver's strict decoder reports. It
 * needs the text, because only the text shows repeated keys. It needs the type, because fields below an unknown field or in a value with
 * its own decoder (a quantity, a RawExtension) are not checked.
 */
import { goQuote } from '../../util/go-format.js'

export interface StrictFinding {
  readonly problem: 'duplicate field' | 'unknown field'
  /** Such as "spec.containers[0].image". */
  readonly path: string
}

/** The decoder stops after this many findings. */
const maxFindings = 100
/** Limit for all paths together: kube-apiserver would repeat a key of one megabyte in a hundred paths. */
const maxCharacters = 1 << 20

/** The target of decoding: a type (see apimachinery/schema/model.ts), any value (Go's interface{}), or a decoder that does not check keys. */
export type StrictTarget =
  | { readonly kind: 'struct'; readonly byName: ReadonlyMap<string, { readonly type: StrictTarget }> }
  | { readonly kind: 'map'; readonly values: StrictTarget }
  | { readonly kind: 'list'; readonly items: StrictTarget }
  | { readonly kind: 'scalar' }
  | 'any'
  | undefined

interface Container {
  readonly target: StrictTarget
  /** Undefined for the document itself. */
  readonly path: string | undefined
  /** Keys seen so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  /** Keys that have been reported, so that the path of a key repeated a thousand times is built once. */
  reported: Set<string> | undefined
  index: number
}

/** Returns the messages of a strict decoding error, such as `unknown field "spec.replica"`. Expects well-formed JSON. */
export function strictFieldErrors(text: string, target: StrictTarget): string[] {
  return strictFindings(text, target).map(f => `${f.problem} ${goQuote(f.path)}`)
}

export function strictFindings(text: string, target: StrictTarget): StrictFinding[] {
  const findings = new Map<string, StrictFinding>()
  const open: Container[] = []
  let characters = 0
  let current: Container | undefined
  let keyNext = false
  let key = ''

  const report = (container: Container, problem: StrictFinding['problem']) => {
    container.reported ??= new Set()
    if (container.reported.has(key)) return
    container.reported.add(key)
    const path = childPath(container, key)
    characters += path.length
    findings.set(`${problem} ${path}`, { problem, path })
  }

  for (let i = 0; i < text.length && findings.size < maxFindings && characters < maxCharacters; i++) {
    const char = text[i]
    if (char === '"') {
      const from = i
      while (text[++i] !== '"' && i < text.length) if (text[i] === '\\') i++
      if (!keyNext || current?.target === undefined) continue
      keyNext = false
      key = text.slice(from + 1, i)
      if (key.includes('\\')) key = JSON.parse(text.slice(from, i + 1))
      const known = current.target === 'any' || current.target.kind !== 'struct' || current.target.byName.has(key)
      if (!known) report(current, 'unknown field')
      else if (current.keys!.has(key)) report(current, 'duplicate field')
      else current.keys!.add(key)
    } else if (char === '{' || char === '[') {
      const type = current ? childTarget(current, key) : target
      const fits = type === 'any' || type?.kind === (char === '[' ? 'list' : 'map') || (char === '{' && type?.kind === 'struct')
      const path = fits && current ? childPath(current, key) : undefined
      if (current) open.push(current)
      current = {
        target: fits ? type : undefined,
        path,
        keys: char === '{' ? new Set() : undefined,
        reported: undefined,
        index: 0
      }
      keyNext = char === '{'
    } else if (char === '}' || char === ']') {
      current = open.pop()
    } else if (char === ',') {
      keyNext = current?.keys !== undefined
      if (current) current.index++
    }
  }
  return [...findings.values()]
}

function childTarget(container: Container, key: string): StrictTarget {
  const { target } = container
  if (target === 'any' || target === undefined) return target
  switch (target.kind) {
    case 'list':
      return target.items
    case 'map':
      return target.values
    case 'struct':
      return target.byName.get(key)?.type
    default:
      return undefined
  }
}

function childPath(container: Container, key: string): string {
  if (!container.keys) return `${container.path ?? ''}[${container.index}]`
  return container.path === undefined ? key : `${container.path}.${key}`
}
