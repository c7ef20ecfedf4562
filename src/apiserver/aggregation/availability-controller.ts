/** Writes the condition Available of APIServices: when something changes that it depends on, and every 30 seconds. */
import type { APIService } from '../../apimachinery/api/generated/apiregistration-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { Controller } from '../../controllers/controller.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import { timestamp } from '../../util/time.js'
import type { ApiServiceTable } from './api-service-table.js'
import { type Availability, type AvailabilityCheckOptions, checkAvailability, localAvailability } from './availability-checks.js'
import type { AvailabilityMetrics } from './availability-metrics.js'

const resyncMs = 30_000
const firstRetryMs = 500

type Condition = NonNullable<NonNullable<APIService['status']>['conditions']>[number]

export interface AvailabilityOptions extends Omit<AvailabilityCheckOptions, 'registry'> {
  readonly services: Services
  readonly client: Client
  readonly table: ApiServiceTable
  readonly metrics: AvailabilityMetrics
  readonly log: Logger
}

export function availabilityController(options: AvailabilityOptions): Controller {
  const { services, client, table, metrics, log } = options
  const { registry, clock, queues } = services
  const apiServices = registry.of(refs.apiServices)
  const failures = new Map<string, number>()

  const write = async (name: string, found: Availability) => {
    const present = table.get(name)
    const before = present?.status?.conditions?.find(c => c.type === 'Available')
    metrics.set(name, found.status === 'True')
    if (before?.status === found.status && before.reason === found.reason && before.message === found.message) return
    try {
      await client.update<APIService>(apiServices, '', name, object => setCondition(object, found, clock.now()), 'status')
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return
      throw error
    }
    if (before?.status === 'True' && found.status !== 'True') metrics.becameUnavailable(name, found.reason)
  }

  const check = async (name: string): Promise<number | undefined> => {
    if (!table.get(name)) {
      metrics.forget(name)
      failures.delete(name)
      return undefined
    }
    const remote = table.remote(name)
    if (!remote) {
      await write(name, localAvailability)
      return undefined
    }
    const found = await checkAvailability(remote, { ...options, registry })
    // what has changed meanwhile is checked anew
    if (table.remote(name)?.spec !== remote.spec) return 0
    await write(name, found)
    if (found.reason !== 'FailedDiscoveryCheck') {
      failures.delete(name)
      return resyncMs
    }
    const count = (failures.get(name) ?? 0) + 1
    failures.set(name, count)
    return Math.min(resyncMs, firstRetryMs * 2 ** Math.min(count - 1, 10))
  }

  /** Enqueues the APIServices whose Service is in a namespace, and has the name if one is given. */
  const enqueueUsers = (namespace: string, service?: string) => {
    for (const { name, server } of table.all())
      if (server.namespace === namespace && (service === undefined || server.name === service)) controller.enqueue(name)
  }
  const hasUsers = (namespace: string, service?: string) => {
    for (const { server } of table.all())
      if (server.namespace === namespace && (service === undefined || server.name === service)) return true
    return false
  }
  const split = (key: string) => [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)] as const

  const controller: Controller = new Controller({
    name: 'apiservice-availability',
    queue: 'RemoteAvailabilityController',
    watches: [
      { resource: apiServices, keyOf: name => name },
      {
        resource: registry.of(refs.services),
        keyOf: key => (!table.isEmpty && hasUsers(...split(key)) ? `service/${key}` : undefined)
      },
      ...[refs.endpointSlices, refs.endpoints].map(ref => ({
        resource: registry.of<unknown>(ref),
        keyOf: (key: string) => (!table.isEmpty && hasUsers(split(key)[0]) ? `endpoints/${split(key)[0]}` : undefined)
      }))
    ],
    clock,
    queues,
    log,
    async reconcile(key) {
      if (key.startsWith('service/')) enqueueUsers(...split(key.slice('service/'.length)))
      else if (key.startsWith('endpoints/')) enqueueUsers(key.slice('endpoints/'.length))
      else return check(key)
      return undefined
    }
  })
  return controller
}

function setCondition(object: APIService, { status, reason, message }: Availability, now: number): void {
  const conditions: Condition[] = [...(object.status?.conditions ?? [])]
  const at = conditions.findIndex(c => c.type === 'Available')
  const before = conditions[at]
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : timestamp(now)
  const condition = { type: 'Available', status, ...(lastTransitionTime ? { lastTransitionTime } : {}), reason, message }
  if (at < 0) conditions.push(condition as Condition)
  else conditions[at] = condition as Condition
  object.status = { ...object.status, conditions }
}
