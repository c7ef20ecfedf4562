/** Filters: CEL expressions over `object` that select the objects of a list or watch. */
import { kubernetesEnvironment } from '../../apimachinery/cel/kubernetes-environment.js'
import { compile, type Program } from '../../apimachinery/cel/program.js'
import { boolType, dynType, formatType } from '../../apimachinery/cel/types.js'
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import { filterParameter, wrongParameter } from '../../apimachinery/request/query-parameters.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { Resource } from '../resource.js'
import { unknownFields } from './check-fields.js'
import { type Plan, planOf } from './plan.js'

/** The most characters of a filter. Compiling takes some ten microseconds per character, in which nothing else happens. */
const maxCharacters = 4096
/** The most that an evaluation for one object may cost. */
const perObject = 10_000
/** The most that all evaluations for a list may cost. */
const perRequest = 20_000_000

const environment = kubernetesEnvironment.withBindings().extend(new Map([['object', dynType]]))

/** What the evaluations for one request may still cost. */
export class Budget {
  left = perRequest
}

export class Filter {
  readonly text: string
  readonly plan: Plan | undefined
  readonly #program: Program
  readonly #shown: (object: any) => any
  /** The results for objects in events. */
  readonly #known = new WeakMap<CachedObject, boolean>()

  /** `shown` converts an object to the version in which the client sees it. */
  constructor(text: string, program: Program, plan: Plan | undefined, shown: (object: any) => any) {
    this.text = text
    this.plan = plan
    this.#program = program
    this.#shown = shown
  }

  /**
   * Whether an object in the version of the cache matches. It does not where the expression fails, as for a field that it lacks.
   * Throws a StatusError 400 for an expression that costs too much.
   */
  matches(object: any, budget: Budget): boolean {
    let value: any
    const variable = (name: string) => (name === 'object' ? (value ??= jsonValue(this.#shown(object))) : undefined)
    const outcome = this.#program.evaluate(variable, Math.min(perObject, budget.left))
    // an evaluation that costs nothing is work as well
    budget.left -= outcome.cost + 1
    if (outcome.exceeded || budget.left <= 0) {
      const why =
        budget.left <= 0
          ? `the objects of the list together cost more than ${perRequest}`
          : `one object costs more than ${perObject}`
      throw wrongParameter(filterParameter, this.text, `the expression costs too much: ${why}`)
    }
    return outcome.value === true
  }

  /** Evaluates the filter for the object of an event, about which several watchers may ask. */
  matchesWatched(cached: CachedObject, read: (cached: CachedObject) => any): boolean {
    let known = this.#known.get(cached)
    if (known === undefined) {
      known = this.matches(read(cached), new Budget())
      this.#known.set(cached, known)
    }
    return known
  }
}

/** How many filters of a resource are kept compiled; the least recently used is forgotten first. */
const maxKept = 64
const kept = new WeakMap<Resource, Map<string, Filter>>()

/** Returns the compiled filter for a text. Throws a StatusError 400. */
export function filterOf(resource: Resource, version: string, text: string): Filter {
  let filters = kept.get(resource)
  if (!filters) kept.set(resource, (filters = new Map()))
  const key = `${version} ${text}`
  let filter = filters.get(key)
  if (filter) filters.delete(key)
  else {
    filter = compiled(resource, version, text)
    if (filters.size >= maxKept) filters.delete(filters.keys().next().value!)
  }
  filters.set(key, filter)
  return filter
}

function compiled(resource: Resource, version: string, text: string): Filter {
  const wrong = (why: string) => wrongParameter(filterParameter, text, why)
  if (text.length > maxCharacters)
    throw wrongParameter(filterParameter, `${text.slice(0, 50)}…`, `must have at most ${maxCharacters} characters`)
  const { program, issues } = compile(text, environment)
  if (!program) throw wrong(`compilation failed: ${issues}`)
  const { kind } = program.type
  if (kind !== 'bool' && kind !== 'dyn') throw wrong(`must evaluate to ${formatType(boolType)}, not ${formatType(program.type)}`)
  const problem = program.prepare() ?? unknownFields(text, program.expr, resource.type(version))
  if (problem !== undefined) throw wrong(`compilation failed: ${problem}`)
  const isCached = version === resource.memoryVersion.name
  const indexed = new Set(isCached && resource.kind.custom ? [...resource.indexedFields] : [])
  return new Filter(
    text,
    program,
    planOf(program.expr, indexed),
    isCached ? object => object : object => resource.inVersion(object, version)
  )
}
