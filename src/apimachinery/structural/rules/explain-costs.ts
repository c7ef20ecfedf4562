/** Explains what the rules of a schema cost: node by node, and by which limits of sizes they would become cheap enough. */

import { cloneJson } from '../../../util/json.js'
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import type { EstimateSize } from '../../cel/cost/estimate.js'
import { type NodeCost, nodeCosts } from '../../cel/cost/node-costs.js'
import type { Program } from '../../cel/program.js'
import { Path } from '../../validation/field.js'
import { type StructuralSchema, structuralSchema } from '../structural.js'
import { type CompiledRule, RuleCompiler } from './compile-rule.js'
import { maxRequestSize } from './declared-type.js'
import { escapeName } from './escape.js'
import { children, elementLimit, hasRules, maxRuleCost, maxSchemaCost } from './validate-rules.js'

type Keyword = 'maxItems' | 'maxLength' | 'maxProperties'

/** A limit of a size in the schema. */
export interface SizeBound {
  /** The place in the schema, below its root: `.properties[spec].properties[items]`. */
  readonly at: string
  readonly keyword: Keyword
  readonly value: number
  /** The limit that is there already. */
  readonly present?: number
}

/** Limits that together bring a rule below its budget, and what it then costs. */
export interface Cure {
  readonly bounds: readonly SizeBound[]
  readonly total: number
}

export interface ExplainedRule {
  /** The place of the rule below the schema's root. */
  readonly at: string
  readonly kind: 'rule' | 'messageExpression'
  readonly expression: string
  /** Why it does not compile. */
  readonly error?: string
  /** The estimated cost for one value. */
  readonly cost: number
  /** The most values in one object for which it is evaluated. */
  readonly values: number
  readonly total: number
  /** Where its costs come from; empty for cheap rules. */
  readonly nodes: readonly NodeCost[]
  /** What would make a rule cheap enough that is over the limit; those with the largest limits first. Empty for others. */
  readonly cures: readonly Cure[]
}

export interface ExplainedSchema {
  readonly rules: readonly ExplainedRule[]
  readonly total: number
  readonly limits: { readonly rule: number; readonly schema: number }
}

/** Nodes are told of rules that cost at least a hundredth of the budget, and of at most so many. */
const maxNodes = 10
const maxExplained = 20
const maxCures = 5
/** The largest limit that is proposed. */
const maxBound = 1_000_000

/** Throws the StatusError of too many expressions; call it `inTurns`. */
export function explainCosts(source: JSONSchemaProps): ExplainedSchema {
  const root = structuralSchema(source)
  const rules: ExplainedRule[] = []
  if (hasRules(root)) for (const place of placesOf(root)) rules.push(...explainPlace(place))
  const total = rules.reduce((sum, { total }) => sum + total, 0)
  const sorted = rules.sort((a, b) => b.total - a.total)
  return { rules: sorted.map(finished), total, limits: { rule: maxRuleCost, schema: maxSchemaCost } }
}

/** A schema with rules, and the lists and maps around it. */
interface Place {
  readonly schema: StructuralSchema
  readonly at: Path
  readonly isResourceRoot: boolean
  readonly around: readonly { readonly schema: StructuralSchema; readonly at: Path }[]
}

const rootPath = Path.of('')

function* placesOf(
  schema: StructuralSchema,
  at = rootPath,
  around: Place['around'] = [],
  isResourceRoot = true
): Generator<Place> {
  if (schema.rules.length > 0) yield { schema, at, isResourceRoot, around }
  const inside = elementLimit(schema) === 1 && schema.type !== 'array' ? around : [...around, { schema, at }]
  for (const [child, below] of children(schema, at)) yield* placesOf(child, below, inside, child.embeddedResource)
}

interface Measured extends ExplainedRule {
  readonly place: Place
  readonly program: Program | undefined
  readonly compiler: RuleCompiler
}

function* explainPlace(place: Place): Generator<Measured> {
  const compiler = RuleCompiler.of(place.schema, place.isResourceRoot)
  if (!compiler) return
  const values = valuesOf(place, compiler)
  for (const [i, rule] of place.schema.rules.entries()) {
    const compiled: CompiledRule = compiler.compile(rule)
    const at = place.at.child('x-kubernetes-validations').index(i)
    const common = { values, place, compiler, nodes: [], cures: [] }
    const { program, error, cost, message, messageError, messageCost } = compiled
    yield {
      ...{
        at: at.child('rule').toString(),
        kind: 'rule' as const,
        expression: rule.rule,
        cost,
        total: cost * values,
        program,
        ...common
      },
      ...(error === undefined ? {} : { error })
    }
    if (!rule.messageExpression) continue
    yield {
      ...{ at: at.child('messageExpression').toString(), kind: 'messageExpression' as const, expression: rule.messageExpression },
      ...{ cost: messageCost, total: messageCost * values, program: message, ...common },
      ...(messageError === undefined ? {} : { error: messageError })
    }
  }
}

/** The most values of a place in one object: by the limits of the lists and maps around it, or as many as fit into a request. */
function valuesOf({ around }: Place, { declared }: RuleCompiler, bound?: number): number {
  let count = 1
  for (const { schema } of around) {
    const limit = elementLimit(schema) ?? bound
    if (limit === undefined) return Math.floor(maxRequestSize / (declared.minSize + 1))
    count *= limit
  }
  return count
}

function finished(rule: ExplainedRule, i: number): ExplainedRule {
  const { place, program, compiler, ...shown } = rule as Measured
  if (!program || i >= maxExplained || rule.total < maxSchemaCost / 100) return shown
  const nodes = nodeCosts(program, compiler.estimateSize, maxNodes)
  return { ...shown, nodes, cures: rule.total > maxRuleCost ? curesFor(rule as Measured) : [] }
}

/** A size of the schema that decides about a cost. */
interface Size {
  readonly at: Path
  readonly keyword: Keyword
  readonly present: number | undefined
  /** The path in expressions, without `self`; undefined for the lists and maps around the rule, which are limited together. */
  readonly path: readonly string[] | undefined
  /** How many elements of the cost model one of the limit stands for: a character may take four bytes. */
  readonly factor: number
}

function curesFor({ place, program, compiler }: Measured): Cure[] {
  const asked = new Map<string, readonly string[]>()
  program!.estimateCost(path => {
    asked.set(path.join('\u0000'), path)
    return compiler.estimateSize(path)
  })
  const inside = [...asked.values()].flatMap(path => sizeAt(place, path) ?? [])
  const around: Size[] = place.around.flatMap(({ schema, at }) =>
    elementLimit(schema) === undefined
      ? [{ at, keyword: schema.type === 'array' ? 'maxItems' : 'maxProperties', present: undefined, path: undefined, factor: 1 }]
      : []
  )
  // each size by itself, the lists around the rule, and at last all that have no limit yet
  const choices = [...inside.map(size => [size]), around, [...inside.filter(({ present }) => present === undefined), ...around]]
  const found = new Map<string, Cure>()
  for (const sizes of choices) {
    if (sizes.length === 0) continue
    const total = (bound: number) => totalWith(place, program!, compiler, sizes, bound)
    const value = largestWithin(total, Math.min(maxBound, ...sizes.map(({ present }) => present ?? maxBound)))
    if (value === undefined) continue
    const key = sizes.map(({ at }) => String(at)).join(' ')
    // more limits are worth it only where they may be larger
    const best = Math.max(0, ...[...found.values()].map(({ bounds }) => bounds[0]!.value))
    if (found.has(key) || (sizes.length > 1 && value <= best)) continue
    const cure = verified(place, program!, sizes, value)
    if (cure) found.set(key, cure)
  }
  return [...found.values()].sort((a, b) => b.bounds[0]!.value - a.bounds[0]!.value).slice(0, maxCures)
}

function totalWith(place: Place, program: Program, compiler: RuleCompiler, sizes: readonly Size[], bound: number): number {
  const bounded = new Map(sizes.flatMap(({ path, factor }) => (path ? [[path.join('\u0000'), bound * factor] as const] : [])))
  const estimateSize: EstimateSize = path => {
    const size = bounded.get(path.slice(1).join('\u0000'))
    return size === undefined ? compiler.estimateSize(path) : { min: 0, max: size }
  }
  const isAround = sizes.some(({ path }) => path === undefined)
  return program.estimateCost(estimateSize).max * valuesOf(place, compiler, isAround ? bound : undefined)
}

/** The largest limit with which a total, which grows with it, stays within the budget; rounded down to two digits. */
function largestWithin(total: (bound: number) => number, most: number): number | undefined {
  if (total(1) > maxRuleCost) return undefined
  let [fits, above] = [1, most + 1]
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2)
    if (total(middle) <= maxRuleCost) fits = middle
    else above = middle
  }
  const unit = 10 ** Math.max(0, String(fits).length - 2)
  return Math.floor(fits / unit) * unit
}

/** Estimates the rule once more with the limits in the schema itself. Undefined when it is not cheap enough after all. */
function verified(place: Place, program: Program, sizes: readonly Size[], value: number): Cure | undefined {
  const source = cloneJson(place.schema.source)
  for (const { path, keyword } of sizes) {
    if (!path) continue
    const schema = sourceAt(source, path)
    if (!schema) return undefined
    schema[keyword] = value
  }
  const compiler = RuleCompiler.of(structuralSchema(source), place.isResourceRoot)
  if (!compiler) return undefined
  const isAround = sizes.some(({ path }) => path === undefined)
  const total = program.estimateCost(compiler.estimateSize).max * valuesOf(place, compiler, isAround ? value : undefined)
  if (total > maxRuleCost) return undefined
  const bounds = sizes.map(({ at, keyword, present }) => ({
    ...{ at: at.toString(), keyword, value },
    ...(present === undefined ? {} : { present })
  }))
  return { bounds, total }
}

/** Finds the size that a path of the estimate means. The first step is a variable; keys of maps have no limit. */
function sizeAt({ schema, at }: Place, [, ...path]: readonly string[]): Size | undefined {
  let current: StructuralSchema | undefined = schema
  let place = at
  for (const step of path) {
    if (step === '@items') [current, place] = [current?.items, place.child('items')]
    else if (step === '@values') {
      const values: StructuralSchema | boolean | undefined = current?.additionalProperties
      ;[current, place] = [typeof values === 'object' ? values : undefined, place.child('additionalProperties')]
    } else {
      const name = propertyOf(current, step)
      ;[current, place] = [
        name === undefined ? undefined : current?.properties?.get(name),
        place.child('properties').key(name ?? step)
      ]
    }
    if (!current) return undefined
  }
  return current && sizeOf(current, place, path)
}

const propertyOf = (schema: StructuralSchema | undefined, escaped: string): string | undefined =>
  [...(schema?.properties?.keys() ?? [])].find(name => escapeName(name) === escaped)

/** Strings whose formats have a longest text. */
const shortFormats: ReadonlySet<string> = new Set(['duration', 'date', 'date-time'])

function sizeOf(
  { type, intOrString, additionalProperties, source }: StructuralSchema,
  at: Path,
  path: readonly string[]
): Size | undefined {
  if (type === 'array') return { at, keyword: 'maxItems', present: source.maxItems, path, factor: 1 }
  if (type === 'object' && typeof additionalProperties === 'object')
    return { at, keyword: 'maxProperties', present: source.maxProperties, path, factor: 1 }
  if (type !== 'string' && !intOrString) return undefined
  const { format = '', maxLength } = source
  if (shortFormats.has(format) || (maxLength === undefined && source.enum?.length)) return undefined
  return { at, keyword: 'maxLength', present: maxLength, path, factor: format === 'byte' ? 1 : 4 }
}

function sourceAt(source: JSONSchemaProps, path: readonly string[]): JSONSchemaProps | undefined {
  let current: JSONSchemaProps | undefined = source
  for (const step of path) {
    if (step === '@items') current = current?.items as JSONSchemaProps | undefined
    else if (step === '@values') current = current?.additionalProperties as JSONSchemaProps | undefined
    else {
      const name: string | undefined = Object.keys(current?.properties ?? {}).find(name => escapeName(name) === step)
      current = name === undefined ? undefined : current?.properties?.[name]
    }
  }
  return current
}
