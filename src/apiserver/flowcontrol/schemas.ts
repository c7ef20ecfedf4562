/** The FlowSchemas in the order in which they are tried: finds the one that a request falls under, and the request's flow. */
import type { PolicyRulesWithSubjects } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { FlowStats } from './flow-stats.js'
import { isAbout, isSubject } from './policy-rule.js'
import type { PriorityLevel } from './priority-level.js'
import { deal, flowHash } from './shuffle-sharding.js'

/** The requests of a schema that compete with others as one: those of a user, of a namespace, or all. */
export interface Flow {
  readonly schema: Schema
  readonly distinguisher: string
  /** The queues that its requests may wait in. */
  readonly hand: readonly number[]
}

/** Flows and users whose names are remembered: hostile clients may have any number. */
const remembered = 1000
const firstQueue: readonly number[] = [0]

/** A FlowSchema with the level that it refers to, which exists. */
export class Schema {
  readonly name: string
  readonly uid: string
  readonly rules: readonly PolicyRulesWithSubjects[]
  readonly level: PriorityLevel
  readonly stats: FlowStats
  readonly #by: 'ByUser' | 'ByNamespace' | undefined
  readonly #flows = new Map<string, Flow>()
  readonly #all: Flow

  constructor(schema: Omit<SchemaOptions, 'by'> & { readonly by: string | undefined }) {
    this.name = schema.name
    this.uid = schema.uid
    this.rules = schema.rules
    this.level = schema.level
    this.stats = schema.stats
    // without several queues there is nothing to tell apart
    this.#by = schema.level.queuing && schema.level.queuing.queues > 1 ? (schema.by as 'ByUser' | 'ByNamespace') : undefined
    this.#all = { schema: this, distinguisher: '', hand: this.#handOf('') }
  }

  flowOf(user: UserInfo, info: RequestInfo): Flow {
    if (this.#by === undefined) return this.#all
    const distinguisher = this.#by === 'ByUser' ? user.name : info.namespace
    const known = this.#flows.get(distinguisher)
    if (known) return known
    if (this.#flows.size >= remembered) this.#flows.clear()
    const flow = { schema: this, distinguisher, hand: this.#handOf(distinguisher) }
    this.#flows.set(distinguisher, flow)
    return flow
  }

  #handOf(distinguisher: string): readonly number[] {
    const { queuing } = this.level
    if (!queuing || queuing.queues <= 1) return firstQueue
    return deal(flowHash(this.name, distinguisher), queuing.queues, queuing.handSize)
  }
}

export interface SchemaOptions {
  readonly name: string
  readonly uid: string
  readonly rules: readonly PolicyRulesWithSubjects[]
  readonly by: string | undefined
  readonly level: PriorityLevel
  readonly stats: FlowStats
}

interface Candidate {
  readonly schema: Schema
  readonly rule: PolicyRulesWithSubjects
}

export class Schemas {
  /** The last takes what falls under no other. */
  readonly all: readonly Schema[]
  /** The rules that are for a user, by the user's name. */
  readonly #ofUsers = new Map<string, { readonly groups: readonly string[]; readonly candidates: readonly Candidate[] }>()

  /** `all`: the first that a request falls under counts. */
  constructor(all: readonly Schema[]) {
    this.all = all
  }

  find(user: UserInfo, info: RequestInfo): Schema {
    for (const { schema, rule } of this.#candidates(user)) if (isAbout(rule, info)) return schema
    return this.all.find(({ name }) => name === 'catch-all')!
  }

  #candidates(user: UserInfo): readonly Candidate[] {
    const known = this.#ofUsers.get(user.name)
    if (known && sameNames(known.groups, user.groups)) return known.candidates
    const candidates = this.all.flatMap(schema =>
      schema.rules.filter(rule => (rule.subjects ?? []).some(subject => isSubject(user, subject))).map(rule => ({ schema, rule }))
    )
    if (!known && this.#ofUsers.size >= remembered) this.#ofUsers.clear()
    this.#ofUsers.set(user.name, { groups: user.groups, candidates })
    return candidates
  }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
