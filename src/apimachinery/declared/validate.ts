/** Validates objects by the rules that their types declare. */
import type { EnabledGates, FieldErrors } from '../validation/field.js'
import { FieldErrors as Errors, type FieldError, Path } from '../validation/field.js'
import { semanticDeepEqual } from '../validation/semantic-equality.js'
import { type Given, identity } from './checks.js'
import { type FieldPlan, type Plan, planOf, type Step } from './plan.js'
import { declaredType } from './rules.js'
import { isAbsent } from './values.js'

interface Run {
  readonly gates: EnabledGates
  readonly isUpdate: boolean
  /** Whether values that did not change are left out, as far as that is not needed to find something. */
  readonly ratchets: boolean
  readonly errors: FieldErrors
  /** The errors of rules that are not enforced yet (stage beta). */
  readonly beta: Set<FieldError>
}

/** Whether anything is declared that an object of the type could violate. */
export const hasRules = (typeName: string): boolean => planOf(typeName) !== undefined

/**
 * Adds what the declared rules of a type find wrong with an object to the errors of hand-written rules. Of an error that both have
 * found, the declared one stays. `old` is left out for a new object; `subresource` is "" or "status". `pathByHand` returns what the
 * errors found by hand call a field.
 */
export function validateDeclared(
  typeName: string,
  object: unknown,
  old: unknown,
  subresource: string,
  errors: FieldErrors,
  gates: EnabledGates,
  pathByHand: (path: string) => string = path => path
): void {
  const plan = planOf(typeName)
  if (!plan) return
  if (subresource !== '' && !declaredType(typeName)?.subresources.includes(`/${subresource}`)) return
  const isUpdate = old !== undefined
  const run = (ratchets: boolean): Run => {
    const found: Run = { gates, isUpdate, ratchets, errors: new Errors(gates), beta: new Set() }
    found.errors.collect(() => validateStruct(plan, object, old, undefined, found))
    return found
  }
  // nearly always nothing is wrong, and then it does not matter what has changed
  let found = run(false)
  if (!found.errors.any) return
  if (isUpdate) found = run(true)
  const shadows = gates.enabled('DeclarativeValidationBeta') ? new Set() : found.beta
  const declared = found.errors.list.map(error => ({ error, seen: { ...error, field: pathByHand(error.field) } }))
  const enforced = declared.filter(({ error }) => !shadows.has(error))
  errors.drop(error => enforced.some(({ seen }) => isCovered(error, seen)))
  errors.addAll(enforced.map(({ error }) => error))
  // what was found by hand keeps its words where beta rules do not count; what only they find is wrong all the same
  const byHand = [...errors.list]
  for (const { error, seen } of declared)
    if (shadows.has(error) && !byHand.some(other => isCovered(other, seen))) errors.add(error)
}

/** Declared rules count bytes where others count characters. */
const inBytes = (message: string) => message.replace(/(?<= no more than \d+ )characters$/, 'bytes')

/**
 * Whether a declared rule says what was found by hand: the same sort of error at the same place. Several rules may find a value invalid,
 * so there the text counts, too, but for rules about changes and unions, whose words by hand differ.
 */
function isCovered(byHand: FieldError, declared: FieldError): boolean {
  if (byHand.reason !== declared.reason || byHand.field !== declared.field) return false
  if (declared.reason !== 'FieldValueInvalid') return true
  if (inBytes(byHand.message) === inBytes(declared.message)) return true
  // a rule by hand about a union says how many members may be set
  if (/: must specify [^:]*: `[^:]*$/.test(declared.message)) return /\b(?:one|1)\b/.test(byHand.message)
  return (
    /: field [^:]*$/.test(declared.message) &&
    /\b(?:immutable|cleared|chang\w+|updat\w+|modif\w+|once set)\b/.test(byHand.message)
  )
}

function validateStruct(plan: Plan, value: unknown, old: unknown, path: Path | undefined, run: Run): void {
  const given: Given = { value, old, isUpdate: run.isUpdate }
  for (const step of plan.own) runStep(step, given, path, run)
  const struct = value as Readonly<Record<string, unknown>>
  const before = old as Readonly<Record<string, unknown>> | null | undefined
  for (const field of plan.fields) {
    const { name } = field.field
    validateField(
      field,
      struct[name],
      before?.[name],
      before !== undefined && before !== null,
      path?.child(name) ?? Path.of(name),
      run
    )
  }
}

/** `isCorrelated`: whether something in the old object corresponds to the struct of the field. */
function validateField(plan: FieldPlan, value: unknown, old: unknown, isCorrelated: boolean, path: Path, run: Run): void {
  if (run.isUpdate && isCorrelated && (run.ratchets || plan.compares) && semanticDeepEqual(value, old)) return
  const given: Given = { value, old, isUpdate: run.isUpdate }
  let isOver = false
  for (const step of plan.first) if (runStep(step, given, path, run)) isOver = true
  if (isOver) return
  for (const step of plan.then) runStep(step, given, path, run)
  if (value === undefined || value === null || (!plan.below && plan.ofValue.length === 0)) return
  if (Array.isArray(value)) validateItems(plan, value, old, path, run)
  else if (plan.field.type.kind === 'map') validateValues(plan, value as Record<string, unknown>, old, path, run)
  else validateValue(plan, value, old, path, run)
}

function validateValue(plan: FieldPlan, value: unknown, old: unknown, path: Path, run: Run): void {
  const given: Given = { value, old, isUpdate: run.isUpdate }
  for (const step of plan.ofValue) if (!isAbsent(value, plan.field)) runStep(step, given, path, run)
  if (plan.below && value !== null && typeof value === 'object') validateStruct(plan.below, value, old, path, run)
}

function validateItems(plan: FieldPlan, list: readonly unknown[], old: unknown, path: Path, run: Run): void {
  const { keys } = plan
  const before = run.isUpdate && keys && Array.isArray(old) ? new Map(old.map(item => [identity(item, keys), item])) : undefined
  list.forEach((item, i) => {
    const same = before && keys ? before.get(identity(item, keys)) : undefined
    if (run.ratchets && same !== undefined && semanticDeepEqual(item, same)) return
    validateValue(plan, item, same, path.index(i), run)
  })
}

function validateValues(plan: FieldPlan, map: Readonly<Record<string, unknown>>, old: unknown, path: Path, run: Run): void {
  const before = (old ?? {}) as Readonly<Record<string, unknown>>
  for (const key of Object.keys(map).sort()) {
    const same = run.isUpdate && Object.hasOwn(before, key) ? before[key] : undefined
    if (run.ratchets && same !== undefined && semanticDeepEqual(map[key], same)) continue
    validateValue(plan, map[key], same, path.key(key), run)
  }
}

/** Returns whether the check found something. */
function runStep({ stage, check, gate }: Step, given: Given, path: Path | undefined, run: Run): boolean {
  if (gate && run.gates.enabled(gate.name) !== gate.on) return false
  const found = check(given)
  if (!found) return false
  if (stage === 'alpha') return true
  const { list } = run.errors
  const before = list.length
  for (const report of found) report(path ?? root, run.errors)
  if (stage === 'beta') for (const error of list.slice(before)) run.beta.add(error)
  return true
}

/** The path of the object itself, which errors about it as a whole have. */
const root = Path.of('')
