/** How an operator is declared: its kinds, its reconcilers, its webhooks, and what it may do. */
import { checkMembers, isMap, type Shape, type ValueType, valueTypes } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { checkElectionTimes, type ElectionTimes, usualTimes } from '../leader-election/leader-election.js'
import { type CachedKind, cachedKindShape } from './cache.js'
import { type DefinitionManifest, type OperatorKind, operatorKinds } from './kinds.js'
import { checkReconciler, type Reconciler } from './reconciler.js'
import { nameOf } from './reconciler-runner.js'
import { type Conversion, checkConversion, checkWebhook, type Webhook, webhookPath } from './webhook.js'

/**
 * A rule of a ClusterRole.
 *
 * @example
 * const secrets: PermissionRule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }
 */
export interface PermissionRule {
  readonly apiGroups?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
  readonly nonResourceURLs?: readonly string[] | undefined
  readonly verbs: readonly string[]
}

/**
 * How one of several replicas is elected that reconciles. Times are in milliseconds, and have client-go's defaults.
 *
 * @example
 * const election: LeaderElectionOptions = { leaseDuration: 60_000, renewDeadline: 40_000, retryPeriod: 5000 }
 */
export interface LeaderElectionOptions {
  /** The name of the Lease; that of the operator. */
  readonly name?: string | undefined
  /** 15 s: how long others wait for a leader that renews its Lease no more. */
  readonly leaseDuration?: number | undefined
  /** 10 s: a leader that cannot renew its Lease for so long stops. */
  readonly renewDeadline?: number | undefined
  /** 2 s. */
  readonly retryPeriod?: number | undefined
  /** Whether a leader that stops gives the Lease back, so that the next need not wait; true. */
  readonly releaseOnStop?: boolean | undefined
}

/**
 * An operator: all that is needed to run it, and to print its manifests.
 *
 * @example
 * const operator: Operator = { name: 'rooms', kinds: [course], reconcilers: [rooms] }
 */
export interface Operator {
  /** Names its Lease, its field manager, the source of its Events, and its objects: lower-case letters, digits and dashes. */
  readonly name: string
  /** The namespace of its own objects: the Lease, the Secret of its certificates; `NAME-system`. */
  readonly namespace?: string | undefined
  /** The kinds that it brings along: of `defineKind`, or CustomResourceDefinitions. */
  readonly kinds?: readonly (OperatorKind | DefinitionManifest)[] | undefined
  readonly reconcilers: readonly Reconciler[]
  /** Functions that change or refuse objects. */
  readonly webhooks?: readonly Webhook[] | undefined
  /** How the objects of its kinds become those of another version. */
  readonly conversions?: readonly Conversion[] | undefined
  /** What it may do beyond what follows from its reconcilers. */
  readonly permissions?: readonly PermissionRule[] | undefined
  /** What is kept of kinds in the cache, for all reconcilers. */
  readonly cache?: readonly CachedKind[] | undefined
  /** Whether only one of several replicas reconciles, and how it is elected; true. */
  readonly leaderElection?: boolean | LeaderElectionOptions | undefined
}

const { text, boolean, number, objects } = valueTypes
const name: ValueType = {
  what: 'a name of lower-case letters, digits and dashes',
  is: value => typeof value === 'string' && value.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(value)
}
const electionShape: Shape = {
  members: { name: text, leaseDuration: number, renewDeadline: number, retryPeriod: number, releaseOnStop: boolean },
  isData: true
}
const operatorShape: Shape = {
  members: {
    ...{ name, namespace: name, kinds: operatorKinds, reconcilers: objects, permissions: objects, cache: objects },
    ...{ webhooks: objects, conversions: objects },
    leaderElection: { what: 'true, false or an object', is: value => typeof value === 'boolean' || isMap(value) }
  },
  required: ['name', 'reconcilers'],
  isData: true
}

/**
 * Declares an operator. Returns its argument. Throws a UserError for what is wrong with it.
 *
 * @example
 * export const operator = defineOperator({ name: 'rooms', kinds: [course], reconcilers: [rooms] })
 */
export function defineOperator(operator: Operator): Operator {
  checkMembers(operator, operatorShape, 'operator.')
  for (const [i, each] of operator.reconcilers.entries()) checkReconciler(each, `operator.reconcilers[${i}].`)
  for (const [i, each] of (operator.cache ?? []).entries()) checkMembers(each, cachedKindShape, `operator.cache[${i}].`)
  const { webhooks = [], conversions = [] } = operator
  for (const [i, each] of webhooks.entries()) checkWebhook(each, `operator.webhooks[${i}].`)
  for (const [i, each] of conversions.entries()) checkConversion(each, `operator.conversions[${i}].`)
  const paths = webhooks.flatMap(each =>
    (['mutate', 'validate'] as const).filter(verb => each[verb]).map(verb => webhookPath(verb, each))
  )
  const path = paths.find((each, i) => paths.indexOf(each) < i)
  if (path !== undefined) throw new UserError(`two webhooks have the path ${path}: declare one for each kind`)
  const names = operator.reconcilers.map(nameOf)
  const twice = names.find((each, i) => names.indexOf(each) < i)
  if (twice !== undefined) throw new UserError(`two reconcilers have the name ${JSON.stringify(twice)}: give one another`)
  if (isMap(operator.leaderElection)) checkMembers(operator.leaderElection, electionShape, 'operator.leaderElection.')
  checkElectionTimes(electionTimes(operator))
  return operator
}

/** Whether an operator needs a server for its webhooks. */
export const hasWebhooks = ({ webhooks = [], conversions = [] }: Operator): boolean => webhooks.length + conversions.length > 0

/** The namespace of the operator's own objects. */
export const namespaceOf = (operator: Operator): string => operator.namespace ?? `${operator.name}-system`

export function electionOptions({
  leaderElection = true,
  name
}: Operator): (LeaderElectionOptions & { name: string }) | undefined {
  if (leaderElection === false) return undefined
  const given = leaderElection === true ? {} : leaderElection
  return { ...given, name: given.name ?? name }
}

export function electionTimes(operator: Operator): ElectionTimes {
  const { leaseDuration, renewDeadline, retryPeriod } = electionOptions(operator) ?? {}
  return {
    leaseDuration: leaseDuration ?? usualTimes.leaseDuration,
    renewDeadline: renewDeadline ?? usualTimes.renewDeadline,
    retryPeriod: retryPeriod ?? usualTimes.retryPeriod
  }
}
