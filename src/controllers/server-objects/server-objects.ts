/** Ensures the objects that exist from the start. They come back at the next start when they are deleted. */

import type { ServiceCIDR } from '../../apimachinery/api/generated/networking-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Client } from '../../registry/client.js'
import type { Registry } from '../../registry/registry.js'
import { tokenTracking, tokenTrackingNamespace } from '../../registry/tokens/legacy-tokens.js'
import type { Clock, Timer } from '../../util/clock.js'
import { equalJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import type { Hook, Startup } from '../startup.js'
import { ensureRbacPolicy } from './rbac-policy.js'

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

export interface ServerObjectsOptions {
  readonly registry: Registry
  readonly client: Client
  readonly serviceCidrs: readonly string[]
  /** Writes the ServiceCIDR's Ready condition. */
  readonly serviceCidrClient: Client
  /** Whether the server goes on from a snapshot, which has these objects, or has them no longer because somebody has deleted them. */
  readonly continues?: boolean
  /** Whether the objects are those that the build has prepared, so that hundreds need not be compared with what they were made from. */
  readonly isPrepared?: boolean
  readonly startup: Startup
  readonly features: FeatureGates
  readonly clock: Clock
  readonly log: Logger
}

/** One of kube-apiserver's hooks: the name of its health check, and what it ensures. */
interface Step {
  readonly check: Hook
  run(): Promise<void>
}

/** Milliseconds between attempts, as for kube-apiserver's system namespaces. */
const retryMs = 60_000

/**
 * Ensures the objects at the start. What admission refuses then is logged and tried again, while the server runs: with a policy that
 * refuses too much, or a webhook that is down, a server must start, so that somebody can change that.
 */
export class ServerObjects implements Part {
  readonly name = 'objects of every server'
  readonly #options: ServerObjectsOptions
  #steps: readonly Step[]
  #timer: Timer | undefined
  #stopped = false
  #running: Promise<void> | undefined

  constructor(options: ServerObjectsOptions) {
    this.#options = options
    this.#steps = stepsOf(options)
    options.startup.expect(...this.#steps.map(({ check }) => check))
  }

  start(): Promise<void> {
    this.#running = this.#attempt()
    return this.#running
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running
  }

  /** Whether the namespace `default` cannot be read, which no further attempt would change. */
  #isUnreadable(): boolean {
    return this.#options.registry.of(refs.namespaces).cache.whyUnreadable('default') !== undefined
  }

  async #attempt(): Promise<void> {
    const { continues, startup, log, clock } = this.#options
    const failed: Step[] = []
    for (const step of this.#steps) {
      try {
        if (!continues) await step.run()
        startup.done(step.check)
      } catch (error) {
        if (!(error instanceof StatusError) || this.#isUnreadable()) throw error
        log.error(`${step.check}: ${error.message}`)
        failed.push(step)
      }
    }
    this.#steps = failed
    if (failed.length === 0 || this.#stopped) return
    this.#timer = clock.setTimeout(() => {
      this.#running = this.#attempt().catch(error => log.error(`${this.name}: ${error.message}`))
    }, retryMs)
  }
}

function stepsOf(options: ServerObjectsOptions): Step[] {
  const { registry, client, features, isPrepared } = options
  const steps: Step[] = [
    { check: 'start-system-namespaces-controller', run: () => ensureNamespaces(options) },
    { check: 'start-kubernetes-service-cidr-controller', run: () => ensureServiceCidr(options) },
    { check: 'start-legacy-token-tracking-controller', run: () => ensureTokenTracking(options) }
  ]
  if (registry.serves(refs.priorityClasses))
    steps.push({ check: 'scheduling/bootstrap-system-priority-classes', run: () => ensurePriorityClasses(options) })
  if (registry.serves(refs.clusterRoles))
    steps.push({
      check: 'rbac/bootstrap-roles',
      run: async () => (isPrepared ? undefined : ensureRbacPolicy(registry, client, features))
    })
  return steps
}

async function ensureNamespaces({ registry, client }: ServerObjectsOptions): Promise<void> {
  const namespaces = registry.of(refs.namespaces)
  for (const name of systemNamespaces) await client.ensure(namespaces, '', { metadata: { name } })
}

async function ensurePriorityClasses({ registry, client }: ServerObjectsOptions): Promise<void> {
  const priorityClasses = registry.of(refs.priorityClasses)
  for (const [name, value, description] of systemPriorities)
    await client.ensure(priorityClasses, '', { metadata: { name }, value, description } as never)
}

const systemPriorities = [
  ['system-node-critical', 2000001000, 'Used for system critical pods that must not be moved from their current node.'],
  [
    'system-cluster-critical',
    2000000000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.'
  ]
] as const

/** Ensures the ServiceCIDR of the configured range. A Ready condition that another writer set stays. */
async function ensureServiceCidr({
  registry,
  client,
  serviceCidrs,
  serviceCidrClient,
  clock
}: ServerObjectsOptions): Promise<void> {
  if (!registry.serves(refs.serviceCIDRs)) return
  const resource = registry.of(refs.serviceCIDRs)
  const name = 'kubernetes'
  await client.ensure(resource, '', { metadata: { name }, spec: { cidrs: serviceCidrs } } as never)
  const present: ServiceCIDR = resource.parse(resource.get('', name)!)
  const [first, second] = serviceCidrs
  if (second !== undefined && equalJson(present.spec.cidrs, [first]))
    await client.update(resource, '', name, object => {
      object.spec.cidrs = [...serviceCidrs]
    })
  const ready = present.status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  if (ready !== 'Unknown' || present.metadata.deletionTimestamp || !equalJson(present.spec.cidrs, serviceCidrs)) return
  const message = 'Kubernetes default Service CIDR is ready'
  const condition = { type: 'Ready', status: 'True', message, lastTransitionTime: timestamp(clock.now()) }
  await serviceCidrClient.apply(resource, '', { metadata: { name }, status: { conditions: [condition] } }, 'status')
}

/** Ensures the ConfigMap that says since when the use of tokens in Secrets is noted. */
async function ensureTokenTracking({ registry, client, clock }: ServerObjectsOptions): Promise<void> {
  if (!registry.serves(refs.configMaps)) return
  const data = { since: new Date(clock.now()).toISOString().slice(0, 10) }
  await client.ensure(registry.of(refs.configMaps), tokenTrackingNamespace, { metadata: { name: tokenTracking }, data } as never)
}
