/** Function declarations of libraries: overloads with signatures, implementations and costs. */
import type { CallCost } from './cost/call-cost.js'
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeParam,
  typeType,
  uintType
} from './types.js'
import type { Value } from './values/value.js'

/** Arguments have the declared types. Errors are returned as a CelError. */
export type Implementation = (...args: any[]) => Value

export interface Overload {
  /** cel-go's name, by which costs are looked up. */
  readonly id: string
  readonly isMember: boolean
  /** The parameters; the receiver comes first. */
  readonly params: readonly Type[]
  readonly typeParams: readonly Type[]
  readonly result: Type
  readonly run: Implementation
  readonly cost: CallCost | undefined
}

export interface FunctionDeclaration {
  readonly name: string
  readonly overloads: readonly Overload[]
  /** The minor version of the release that brought the function; 0 for one that has always been there. */
  readonly since: number
}

export interface Library {
  /** The minor version of the release that brought these functions. Other libraries declare no overloads of them. */
  readonly since?: number
  readonly functions: Readonly<Record<string, readonly Overload[]>>
  /** Types that expressions can refer to by name. */
  readonly types?: readonly Type[]
}

const names = new Map<string, Type>([
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['null', nullType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['dyn', dynType],
  ['type', typeType()]
])

/**
 * Declares one overload. The signature reads "string, int -> string"; with a receiver, "string.(int) -> string". Capital letters
 * are type parameters; `types` maps names to a library's own types.
 */
export function overload(
  id: string,
  signature: string,
  run: Implementation,
  { cost, types = {} }: { cost?: CallCost | undefined; types?: Readonly<Record<string, Type>> } = {}
): Overload {
  const [left, right] = signature.split('->') as [string, string]
  const member = /^(.*?)\.\((.*)\)\s*$/.exec(left.trim())
  const read = (text: string) => readTypes(text, types)
  const params = member ? [...read(member[1]!), ...read(member[2]!)] : read(left)
  const [result] = read(right)
  const letters = new Set(signature.match(/\b[A-Z]\b/g))
  return { id, isMember: member !== null, params, typeParams: [...letters].map(typeParam), result: result!, run, cost }
}

/** Parses a list of types: "string, list(T)". */
function readTypes(text: string, types: Readonly<Record<string, Type>>): Type[] {
  const tokens = text.match(/[\w.]+|[(),]/g) ?? []
  let next = 0
  const readType = (): Type => {
    const name = tokens[next++]!
    const params: Type[] = []
    if (tokens[next] === '(') {
      do {
        next++
        params.push(readType())
      } while (tokens[next] === ',')
      next++
    }
    if (name === 'list') return listType(params[0]!)
    if (name === 'map') return mapType(params[0]!, params[1]!)
    if (name === 'optional') return optionalType(params[0]!)
    if (name === 'type' && params.length > 0) return typeType(params[0])
    if (/^[A-Z]$/.test(name)) return typeParam(name)
    const type = types[name] ?? names.get(name)
    if (!type) throw new Error(`unknown type ${name} in ${text}`)
    return type
  }
  const list: Type[] = []
  while (next < tokens.length) {
    list.push(readType())
    next++
  }
  return list
}
