/**
 * Validates the rules of a definition's schema: they are complete, they compile, they use only old values that can be found, and
 * their estimated cost is within the limits.
 */
import type { JSONSchemaProps, ValidationRule } from '../../api/generated/apiextensions-v1.js'
import { NewExpressions } from '../../cel/new-expressions.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { GoText, goJson } from '../../validation/go-value.js'
import { internalRule } from '../definition/internal-text.js'
import { type StructuralSchema, structuralSchema } from '../structural.js'
import { type CompiledRule, RuleCompiler } from './compile-rule.js'
import { maxRequestSize } from './declared-type.js'
import { ruleFieldPath } from './field-path.js'

/** Maximum cost of a rule for all values of its schema in one object. */
export const maxRuleCost = 10_000_000
export const maxSchemaCost = 100_000_000
/** If the total cost is too high, errors name at most this many rules, and none below a hundredth of the total. */
const maxNamed = 4

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** Validates the rules of one schema as far as possible without compiling them. */
export function validateRuleFields(schema: StructuralSchema, at: Path, errors: FieldErrors): void {
  const place = at.child('x-kubernetes-validations')
  for (const [i, rule] of schema.rules.entries()) validateFields(rule, schema, place.index(i), errors)
}

function validateFields(rule: ValidationRule, schema: StructuralSchema, at: Path, errors: FieldErrors): void {
  const { message = '', messageExpression = '', fieldPath = '', reason } = rule
  if (rule.rule.trim() === '') errors.required(at.child('rule'), 'rule is not specified')
  else if (message !== '' && message.trim() === '') errors.invalid(at.child('message'), message, 'must be non-empty if specified')
  else if (message.trim().includes('\n')) errors.invalid(at.child('message'), message, 'must not contain line breaks')
  else if (rule.rule.trim().includes('\n') && message === '')
    errors.required(at.child('message'), 'message must be specified if rule contains line breaks')
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.required(at.child('messageExpression'), 'messageExpression must be non-empty if specified')
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(at.child('reason'), reason, reasons)
  if (fieldPath !== '' && fieldPath.trim() === '')
    errors.invalid(at.child('fieldPath'), fieldPath, 'must be non-empty if specified')
  if (fieldPath.includes('\n')) errors.invalid(at.child('fieldPath'), fieldPath, 'must not contain line breaks')
  if (fieldPath !== '' && ruleFieldPath(fieldPath, schema) === undefined)
    errors.invalid(at.child('fieldPath'), fieldPath, 'must be a valid path')
}

/** Validates all rules of a structural schema. */
export function validateRules(source: JSONSchemaProps, at: Path, errors: FieldErrors): void {
  const root = structuralSchema(source)
  if (!hasRules(root)) return
  const flawed = new Set<StructuralSchema>()
  validateFieldsBelow(root, at, errors, flawed)
  validateCompiledRules(root, at, errors, schema => flawed.has(schema))
}

function validateFieldsBelow(schema: StructuralSchema, at: Path, errors: FieldErrors, flawed: Set<StructuralSchema>): void {
  const before = errors.list.length
  for (const [child, place] of children(schema, at)) validateFieldsBelow(child, place, errors, flawed)
  validateRuleFields(schema, at, errors)
  if (errors.list.length > before) flawed.add(schema)
}

/**
 * Validates rules by compiling them. `isFlawed` returns whether a schema, or one nested in it, has other errors; its rules are
 * then not compiled. `news` limits the functions of rules.
 */
export function validateCompiledRules(
  root: StructuralSchema,
  at: Path,
  errors: FieldErrors,
  isFlawed: (schema: StructuralSchema, at: Path) => boolean,
  news = new NewExpressions(errors.minCompatibility)
): void {
  const walk = new Walk(errors, isFlawed, news)
  walk.schema(root, at, { isResourceRoot: true, cardinality: 1, uncorrelatable: undefined })
  walk.reportTotal(at)
}

export function hasRules(schema: StructuralSchema): boolean {
  if (schema.rules.length > 0) return true
  for (const child of childSchemas(schema)) if (hasRules(child)) return true
  return false
}

function* childSchemas({ additionalProperties, properties, items }: StructuralSchema): Generator<StructuralSchema> {
  if (typeof additionalProperties === 'object') yield additionalProperties
  if (properties) yield* properties.values()
  if (items) yield items
}

/** The schemas right below one, with their places. */
export function* children(
  { additionalProperties, properties, items }: StructuralSchema,
  at: Path
): Generator<[StructuralSchema, Path]> {
  if (typeof additionalProperties === 'object') yield [additionalProperties, at.child('additionalProperties')]
  for (const [name, schema] of properties ?? []) yield [schema, at.child('properties').key(name)]
  if (items) yield [items, at.child('items')]
}

interface Place {
  readonly isResourceRoot: boolean
  /** The most values of this schema in one object, by the declared limits; undefined without limits. */
  readonly cardinality: number | undefined
  /** The outermost enclosing list whose items do not correlate: below it, there are no old values. */
  readonly uncorrelatable: Path | undefined
}

class Walk {
  readonly #errors: FieldErrors
  readonly #isFlawed: (schema: StructuralSchema, at: Path) => boolean
  readonly #news: NewExpressions
  #total = 0
  #expensive: { readonly at: Path; readonly cost: number }[] = []

  constructor(errors: FieldErrors, isFlawed: (schema: StructuralSchema, at: Path) => boolean, news: NewExpressions) {
    this.#errors = errors
    this.#isFlawed = isFlawed
    this.#news = news
  }

  /** Adds errors of nested schemas first. */
  schema(schema: StructuralSchema, at: Path, place: Place): void {
    const cardinality = place.cardinality === undefined ? undefined : times(place.cardinality, elementLimit(schema))
    for (const [child, below] of children(schema, at)) {
      const isAnonymous = child === schema.items && schema.listType !== 'map'
      const uncorrelatable = place.uncorrelatable ?? (isAnonymous ? at : undefined)
      this.schema(child, below, { isResourceRoot: child.embeddedResource, cardinality, uncorrelatable })
    }
    if (schema.rules.length > 0 && !this.#isFlawed(schema, at)) this.#rules(schema, at.child('x-kubernetes-validations'), place)
  }

  #rules(schema: StructuralSchema, at: Path, place: Place): void {
    const compiler = RuleCompiler.of(schema, place.isResourceRoot)
    if (!compiler) {
      const why = 'unable to convert structural schema to CEL declarations'
      this.#errors.internal(at, `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`)
      return
    }
    // without a declared limit, as many as fit into a request
    const cardinality = place.cardinality ?? Math.floor(maxRequestSize / (compiler.declared.minSize + 1))
    for (const [i, rule] of schema.rules.entries())
      this.#rule(compiler.compile(rule, this.#news), at.index(i), cardinality, place.uncorrelatable)
  }

  #rule(compiled: CompiledRule, at: Path, cardinality: number, uncorrelatable: Path | undefined): void {
    const { rule, error, messageError } = compiled
    this.#charge(compiled.cost * cardinality, at.child('rule'), 'estimated rule cost')
    const shown = () => new GoText(goJson(internalRule(rule)))
    if (error !== undefined) this.#errors.invalid(at.child('rule'), shown(), error)
    if (messageError !== undefined) this.#errors.invalid(at.child('messageExpression'), shown(), messageError)
    if (compiled.message) this.#charge(compiled.messageCost, at.child('messageExpression'), 'estimated messageExpression cost')
    if (compiled.usesOldSelf && uncorrelatable)
      this.#errors.invalid(
        at.child('rule'),
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
      )
    if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined)
      this.#errors.invalid(at.child('optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')
  }

  #charge(cost: number, at: Path, what: string): void {
    if (cost > maxRuleCost) this.#errors.forbidden(at, tooCostly(what, cost, maxRuleCost))
    this.#total += cost
    if (cost >= maxSchemaCost / 100)
      this.#expensive = [...this.#expensive, { at, cost }].sort((a, b) => b.cost - a.cost).slice(0, maxNamed)
  }

  reportTotal(at: Path): void {
    if (this.#total <= maxSchemaCost) return
    for (const { at } of this.#expensive)
      this.#errors.forbidden(at, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema')
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    this.#errors.forbidden(at, tooCostly(what, this.#total, maxSchemaCost))
  }
}

/** Returns the most children of a schema per value. */
export function elementLimit({ source, additionalProperties }: StructuralSchema): number | undefined {
  if (source.type === 'array') return source.maxItems === undefined ? undefined : Math.max(0, source.maxItems)
  if (source.type !== 'object' || additionalProperties === undefined) return 1
  return source.maxProperties === undefined ? undefined : Math.max(0, source.maxProperties)
}

const times = (count: number, factor: number | undefined) => (factor === undefined ? undefined : count * factor)

function tooCostly(what: string, cost: number, limit: number): string {
  const factor = cost / limit
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${what} exceeds budget by factor of ${shown} (${advice})`
}
