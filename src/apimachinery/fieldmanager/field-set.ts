/** Collects the fields that an applied configuration names, and the problems that its type finds in it. */

import { ForeignValue, goQuote, goValue, sortedKeys } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import type { ScalarType } from '../schema/model.js'
import { type FieldTree, isEmptyTree, leaf } from './fields-v1.js'
import { foreignItem, pathOf } from './paths.js'
import { type Place, valueStep } from './place.js'

export interface FieldSet {
  /** Containers are in the set only when they are null or an empty map; items of lists are always in it. */
  readonly fields: FieldTree
  /** Such as ".spec.foo: field not declared in schema"; empty for a valid configuration. */
  readonly problems: readonly string[]
}

export function fieldSet(place: Place, value: unknown): FieldSet {
  const problems: string[] = []
  return { fields: walk(place, value, problems) ?? leaf, problems }
}

/** Joins all problems to one text. */
export function problemText(problems: readonly string[]): string {
  return problems.length === 1 ? problems[0]! : `errors:\n${problems.map(problem => `  ${problem}`).join('\n')}`
}

function walk(place: Place, value: unknown, problems: string[]): FieldTree | undefined {
  if (value === null) return leaf
  const { type } = place
  if (type.kind === 'scalar' && place.granularity === 'whole') {
    const problem = scalarProblem(type, value)
    if (problem) problems.push(`: ${problem}`)
    return leaf
  }
  if (type.kind === 'list') {
    if (Array.isArray(value)) return walkList(place, value, problems)
    problems.push(`: expected list, got ${printed(value)}`)
    return leaf
  }
  if (isMap(value)) return walkFields(place, value, problems)
  if (type.kind === 'map' && type.deduced && !(value instanceof ForeignValue)) return leaf
  problems.push(`: expected map, got ${printed(value)}`)
  return leaf
}

function walkFields(place: Place, value: JsonObject, problems: string[]): FieldTree | undefined {
  const out: FieldTree = {}
  const keys = Object.keys(value)
  for (const key of keys) {
    const before = problems.length
    const at = place.at(key)
    const sub = at && walk(at, value[key], problems)
    // an undeclared key is a member itself, regardless of the value below it
    const declared = place.type.kind === 'struct' && place.type.byName.has(key)
    if (at && !declared) out[`f:${key}`] = sub && !isEmptyTree(sub) ? { '.': leaf, ...sub } : leaf
    else if (sub) out[`f:${key}`] = sub
    else if (!at) problems.push(': field not declared in schema')
    if (problems.length > before) locate(problems, before, `f:${key}`)
    // Go reports only the first of these, in an order of its own
    if (!at) break
  }
  return place.granularity === 'whole' || keys.length === 0 ? leaf : isEmptyTree(out) ? undefined : out
}

/** An empty list is in the set only when it is owned as a whole. */
function walkList(place: Place, list: unknown[], problems: string[]): FieldTree | undefined {
  const out: FieldTree = {}
  const { granularity } = place
  for (const [index, item] of list.entries()) {
    const before = problems.length
    let step = `i:${index}`
    if (granularity !== 'whole') {
      const found = granularity === 'set' ? setStep(item) : itemStep(place, item)
      if ('problem' in found) {
        problems.push(`: element ${index}: ${found.problem}`)
        break
      }
      step = found.step
    }
    const sub = walk(place.below, item, problems)
    if (problems.length > before) locate(problems, before, step)
    if (granularity === 'whole') continue
    if (Object.hasOwn(out, step)) problems.splice(before, 0, `: duplicate entries for key ${pathOf([step])}`)
    out[step] = !sub || isEmptyTree(sub) ? leaf : { '.': leaf, ...sub }
  }
  return granularity === 'whole' ? leaf : isEmptyTree(out) ? undefined : out
}

type Step = { readonly step: string } | { readonly problem: string }

function setStep(item: unknown): Step {
  if (item instanceof ForeignValue) return { step: foreignItem }
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" }
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' }
  if (typeof item === 'object') return { problem: "associative list without keys has an element that's a map type" }
  return { step: valueStep(item) }
}

function itemStep(place: Place, item: unknown): Step {
  if (item === null) return { problem: 'associative list with keys may not have a null element' }
  if (!isMap(item)) return { problem: 'associative list with keys may not have non-map elements' }
  const step = place.stepTo(item)
  if (step !== undefined) return { step }
  const keys = place.keys.map(key => goQuote(key.name)).join(' ')
  return {
    problem: `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`
  }
}

/** Prefixes the problems that were found below a step with that step. */
function locate(problems: string[], from: number, step: string): void {
  const prefix = pathOf([step])
  for (let i = from; i < problems.length; i++) problems[i] = prefix + problems[i]
}

const isMap = (value: unknown): value is JsonObject => isObject(value) && !(value instanceof ForeignValue)

const printed = (value: unknown) => `&{${goValue(value)}}`

/** Checks a scalar against its OpenAPI type: quantities and times accept any scalar, and intOrString any value. */
function scalarProblem({ scalar }: ScalarType, value: unknown): string | undefined {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'int32':
    case 'int64':
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goTypeName(value)}`
    case 'bool':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${printed(value)}`
    case 'quantity':
    case 'time':
    case 'microTime':
      return typeof value === 'object' ? `expected any scalar, got ${printed(value)}` : undefined
    case 'fieldsV1':
      return isMap(value) ? undefined : `expected map, got ${printed(value)}`
    default:
      return value instanceof ForeignValue ? `expected map, got ${printed(value)}` : undefined
  }
}

function goTypeName(value: unknown): string {
  if (value instanceof ForeignValue) return value.type
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** %#v of a decoded value. */
function goSyntax(value: unknown): string {
  if (value === null) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (value instanceof ForeignValue) return value.syntax
  if (!isObject(value)) return typeof value === 'string' ? goQuote(value) : String(value)
  const fields = sortedKeys(value)
  return `map[string]interface {}{${fields.map(key => `${goQuote(key)}:${goSyntax(value[key])}`).join(', ')}}`
}
