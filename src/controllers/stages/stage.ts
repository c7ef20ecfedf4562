/** A Stage of kwok (https://kwok.sigs.k8s.io/docs/user/stages-configuration/), read: which objects it means, when, and what it does. docs/simulate.md says what of it is understood. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { readDuration } from '../../util/go-duration.js'
import { parseQuery, type Query, UnknownExpression } from './jq.js'
import { parseTemplate, type Template, UnknownTemplate } from './template.js'
import { knownFunctions } from './template-functions.js'

/** A Stage that is not understood. The message names the field. */
export class UnknownStage extends Error {}

export interface StagePatch {
  readonly subresource: string
  /** The field in which the result of the template is; the object itself where it is empty. */
  readonly root: string
  readonly template: Template
  /** Undefined: as the kind has it. */
  readonly type: 'json' | 'merge' | 'strategic' | undefined
}

export interface StageFinalizers {
  readonly add: readonly string[]
  readonly remove: readonly string[]
  readonly empty: boolean
}

/** What one step of a Stage does, in the order of the fields. */
export interface StageStep {
  readonly event?: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string } | undefined
  readonly finalizers?: StageFinalizers | undefined
  readonly isDelete: boolean
  readonly patch?: StagePatch | undefined
}

export interface Stage {
  readonly name: string
  matches(object: KubeObject): boolean
  /** Among Stages that match: undefined where its expression yields no number. */
  weight(object: KubeObject): number | undefined
  /** How long it waits, in milliseconds; `fraction` from 0 to 1 says which time of a range. */
  delay(object: KubeObject, now: number, fraction: number): number
  readonly steps: readonly StageStep[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the group version and the kind that a Stage is about, such as `v1 Pod`.
 *
 * @example
 * subjectOf({ spec: { resourceRef: { apiGroup: 'v1', kind: 'Pod' } } }) // 'v1 Pod'
 */
export function subjectOf(object: object): string {
  const { apiGroup, kind } = fields(fields(object).spec && (object as { spec: Fields }).spec.resourceRef)
  return `${typeof apiGroup === 'string' && apiGroup !== '' ? apiGroup : 'v1'} ${String(kind ?? '')}`
}

/** Reads a Stage. Throws UnknownStage. */
export function readStage(object: KubeObject & { readonly spec?: unknown }): Stage {
  const spec = fields(object.spec)
  only(spec, 'spec', ['resourceRef', 'selector', 'weight', 'weightFrom', 'delay', 'next', 'steps', 'immediateNextStage'])
  const matches = spec.selector === undefined ? () => false : selectorOf(fields(spec.selector))
  const weightFrom = queryOf(spec.weightFrom, 'spec.weightFrom')
  const weight = numberOf(spec.weight, 'spec.weight') ?? 0
  return {
    name: object.metadata.name!,
    matches,
    weight(subject) {
      const [found] = weightFrom?.(subject) ?? []
      if (found === undefined) return weight
      const number = typeof found === 'string' ? Number.parseInt(found, 10) : found
      return typeof number === 'number' && !Number.isNaN(number) ? Math.trunc(number) : undefined
    },
    delay: delayOf(fields(spec.delay)),
    steps: stepsOf(spec)
  }
}

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const fields = (value: unknown): Fields => (isMap(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function only(given: Fields, path: string, known: readonly string[]): void {
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) throw new UnknownStage(`${path}.${unknown} is not understood`)
}

/** Reads what a field says, and tells in which field it is that something is not understood. */
function within<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnknownExpression || error instanceof UnknownTemplate)
      throw new UnknownStage(`${path}: ${error.message}`)
    throw error
  }
}

function numberOf(value: unknown, path: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new UnknownStage(`${path} is no number`)
  return value
}

/** The expression of `…From`: `expressionFrom`, or `jq.expression`. */
function queryOf(value: unknown, path: string): Query | undefined {
  if (value === undefined) return undefined
  const from = fields(value)
  only(from, path, ['expressionFrom', 'jq'])
  const { expression } = fields(from.jq)
  return within(path, () => parseQuery(textOf(expression ?? from.expressionFrom)))
}

function selectorOf(selector: Fields): (object: KubeObject) => boolean {
  only(selector, 'spec.selector', ['matchLabels', 'matchAnnotations', 'matchExpressions'])
  const labels = Object.entries(fields(selector.matchLabels))
  const annotations = Object.entries(fields(selector.matchAnnotations))
  const expressions = listOf(selector.matchExpressions).map((one, i) =>
    expressionOf(fields(one), `spec.selector.matchExpressions[${i}]`)
  )
  const has = (present: Readonly<Record<string, string>> | undefined, wanted: readonly [string, unknown][]) =>
    wanted.every(([key, value]) => present?.[key] === value)
  return object =>
    has(object.metadata.labels, labels) &&
    has(object.metadata.annotations, annotations) &&
    expressions.every(holds => holds(object))
}

/** In newer Stages, key, operator and values are those of `jq`. */
function expressionOf(given: Fields, path: string): (object: KubeObject) => boolean {
  only(given, path, ['key', 'operator', 'values', 'jq'])
  const { key, operator, values } = given.jq === undefined ? given : fields(given.jq)
  const query = within(`${path}.key`, () => parseQuery(textOf(key)))
  const wanted = listOf(values).map(String)
  const isSet = operator === 'In' || operator === 'NotIn'
  if (!isSet && operator !== 'Exists' && operator !== 'DoesNotExist')
    throw new UnknownStage(`${path}.operator: ${JSON.stringify(operator ?? '')} is not understood`)
  if (isSet !== wanted.length > 0)
    throw new UnknownStage(`${path}.values must ${isSet ? 'have some' : 'be empty'} for ${operator}`)
  const isWanted = operator === 'In' || operator === 'Exists'
  return object => {
    const found = query(object)
    const holds = isSet ? found.some(one => typeof one !== 'object' && wanted.includes(String(one))) : found.length > 0
    return holds === isWanted
  }
}

function delayOf(delay: Fields): Stage['delay'] {
  only(delay, 'spec.delay', ['durationMilliseconds', 'durationFrom', 'jitterDurationMilliseconds', 'jitterDurationFrom'])
  const duration = durationOf(delay, 'durationMilliseconds', 'durationFrom')
  const latest = durationOf(delay, 'jitterDurationMilliseconds', 'jitterDurationFrom')
  return (object, now, fraction) => {
    const first = Math.max(0, duration(object, now) ?? 0)
    const last = latest(object, now)
    if (last === undefined) return first
    return last <= first ? Math.max(0, last) : first + (last - first) * fraction
  }
}

function durationOf(delay: Fields, name: string, from: string): (object: KubeObject, now: number) => number | undefined {
  const usual = numberOf(delay[name], `spec.delay.${name}`)
  const query = queryOf(delay[from], `spec.delay.${from}`)
  return (object, now) => {
    const [found] = query?.(object) ?? []
    if (typeof found !== 'string') return usual
    if (found === '') return undefined
    const time = /^\d{4}-/.test(found) ? Date.parse(found) : Number.NaN
    if (!Number.isNaN(time)) return time - now
    const duration = readDuration(found)
    return typeof duration === 'number' ? duration : usual
  }
}

const stepFields = ['event', 'finalizers', 'delete', 'patch']
const nextFields = ['event', 'finalizers', 'delete', 'patches', 'statusTemplate', 'statusSubresource']

function stepsOf({ steps, next }: Fields): StageStep[] {
  if (listOf(steps).length > 0) return listOf(steps).map((one, i) => stepOf(fields(one), `spec.steps[${i}]`, stepFields))
  const given = fields(next)
  const step = stepOf({ ...given, delete: false }, 'spec.next', nextFields)
  const patches =
    listOf(given.patches).length > 0
      ? listOf(given.patches).map((one, i) => patchOf(fields(one), `spec.next.patches[${i}]`))
      : textOf(given.statusTemplate) !== ''
        ? [statusPatchOf(given)]
        : []
  return [step, ...patches.map(patch => ({ patch, isDelete: false })), ...(given.delete === true ? [{ isDelete: true }] : [])]
}

const statusPatchOf = ({ statusSubresource, statusTemplate }: Fields): StagePatch => ({
  subresource: typeof statusSubresource === 'string' ? statusSubresource : 'status',
  root: 'status',
  template: within('spec.next.statusTemplate', () => parseTemplate(textOf(statusTemplate), knownFunctions)),
  type: undefined
})

function stepOf(given: Fields, path: string, known: readonly string[]): StageStep {
  only(given, path, known)
  const { type, reason, message } = fields(given.event)
  return {
    event: given.event
      ? { type: type === 'Warning' ? 'Warning' : 'Normal', reason: textOf(reason), message: textOf(message) }
      : undefined,
    finalizers: given.finalizers ? finalizersOf(fields(given.finalizers)) : undefined,
    isDelete: given.delete === true,
    patch: given.patch ? patchOf(fields(given.patch), `${path}.patch`) : undefined
  }
}

const finalizersOf = ({ add, remove, empty }: Fields): StageFinalizers => {
  const values = (items: unknown) => listOf(items).map(item => textOf(fields(item).value))
  return { add: values(add), remove: values(remove), empty: empty === true }
}

function patchOf(given: Fields, path: string): StagePatch {
  only(given, path, ['subresource', 'root', 'template', 'type'])
  const { type } = given
  if (type !== undefined && type !== 'json' && type !== 'merge' && type !== 'strategic')
    throw new UnknownStage(`${path}.type: ${JSON.stringify(type)} is not understood`)
  return {
    subresource: textOf(given.subresource),
    root: textOf(given.root),
    template: within(`${path}.template`, () => parseTemplate(textOf(given.template), knownFunctions)),
    type
  }
}

/**
 * Returns the Stage that is next among those that match, as kwok chooses: by their weights. Without weights, each has the same chance.
 *
 * @example
 * chosen([complete, crash], pod, 0.5)?.name
 */
export function chosen(matching: readonly Stage[], object: KubeObject, fraction: number): Stage | undefined {
  const weighed = matching.map(stage => ({ stage, weight: stage.weight(object) }))
  const known = weighed.filter(({ weight }) => weight !== undefined)
  const total = known.reduce((sum, { weight }) => sum + Math.max(0, weight!), 0)
  if (total === 0) {
    const equal = known.length > 0 ? known : weighed
    return equal[Math.floor(fraction * equal.length)]?.stage
  }
  let rest = fraction * total
  for (const { stage, weight } of known) {
    rest -= Math.max(0, weight!)
    if (rest < 0) return stage
  }
  return known.at(-1)?.stage
}

/**
 * Returns what a Stage leaves of an object's finalizers; undefined where nothing changes.
 *
 * @example
 * finalizersAfter(['a'], { add: ['b'], remove: [], empty: false }) // ['a', 'b']
 */
export function finalizersAfter(present: readonly string[], { add, remove, empty }: StageFinalizers): string[] | undefined {
  const kept = empty ? [] : present.filter(one => !remove.includes(one))
  const after = [...kept, ...add.filter(one => !kept.includes(one))]
  return after.length === present.length && after.every((one, i) => one === present[i]) ? undefined : after
}
