/** The identity of this server among those that share a store, and the Lease that shows it to be alive (KEP-1965). */
import { setTimeout } from 'node:timers/promises'
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { component, serverId } from '../../util/server-id.js'
import { microTime } from '../../util/time.js'
import { Periodic } from '../periodic.js'

/** The label by which the Leases of API servers are found. */
export const identityLabel = 'apiserver.kubernetes.io/identity'
/** The address by which other API servers reach this one. */
const peerAnnotation = 'kubernetes.io/peer-advertise-address'
export const leaseNamespace = 'kube-system'
const leaseSeconds = 3600
const renewMs = 10_000
const collectMs = 3_600_000
/** How long a server that stops waits for the deletion of its Lease. */
const stopMs = 5000

export interface IdentityOptions {
  /** Whether the server goes on from a snapshot, and therefore already has its Lease. */
  readonly continues: boolean
  /** Returns where peers reach the server, for the annotation of the Lease. */
  readonly peerAddress?: (() => string) | undefined
  readonly log: Logger
}

/** Keeps the Lease that shows this server to be alive. The Lease is deleted as soon as the server stops. */
export function identityLease(
  { registry, clock, random, hostName }: Services,
  client: Client,
  { continues, peerAddress, log }: IdentityOptions
): Part {
  const id = serverId(hostName)
  const holderIdentity = `${id}_${random.uuid()}`
  const leases = registry.of(refs.leases)
  const labels = { [identityLabel]: component, 'kubernetes.io/hostname': hostName }
  const annotations = () => (peerAddress ? { [peerAnnotation]: peerAddress() } : {})
  const renewal = () => ({ leaseDurationSeconds: leaseSeconds, renewTime: microTime(clock.now()) })
  // a store that does not answer must not keep the server from starting or stopping: the Lease expires in any case
  const remove = () =>
    client
      .delete(leases, leaseNamespace, id)
      .catch(ignoreMissing)
      .catch(error => log.warn(`the Lease ${id} could not be deleted: ${error instanceof Error ? error.message : error}`))
  // servers that start together need not renew together
  const untilRenewal = () => renewMs * (1 + random.apart('identity').fraction() * 0.04)
  let isFresh = continues
  /** When this process wrote the Lease last. */
  let writtenAt = Number.NEGATIVE_INFINITY
  /** While a test walks through time, all renewals but the last are left out, as far as the Lease goes on being valid. */
  const isOverwritten = (next: number) =>
    clock.now() + next <= (clock.walksUntil ?? 0) && clock.now() + next <= writtenAt + leaseSeconds * 500
  const renewing = new Periodic({
    name: 'identity of the server',
    async work() {
      const had = isFresh && leases.get(leaseNamespace, id) !== undefined
      isFresh = false
      const next = untilRenewal()
      if (had || isOverwritten(next)) return next
      writtenAt = clock.now()
      const spec = { holderIdentity, ...renewal() }
      const created = await client.ensure(leases, leaseNamespace, {
        metadata: { name: id, labels, annotations: annotations() },
        spec
      } as never)
      if (!created)
        await client.update<Lease>(leases, leaseNamespace, id, lease => {
          lease.metadata.labels = { ...lease.metadata.labels, ...labels }
          lease.metadata.annotations = { ...lease.metadata.annotations, ...annotations() }
          lease.spec = { ...lease.spec, ...renewal() }
        })
      return next
    },
    retryMs: renewMs,
    clock,
    log
  })
  return {
    name: renewing.name,
    async start() {
      // a Lease of the process before is no sign of life of this one
      await leases.cache.load()
      if (!continues && leases.get(leaseNamespace, id)) await remove()
      await renewing.start()
    },
    async stop() {
      const gone = renewing.stop().then(remove)
      await Promise.race([gone, setTimeout(stopMs, undefined, { ref: false })])
    }
  }
}

/** Whether the server of an identity Lease is no longer alive. */
export function isExpired({ spec: { renewTime, leaseDurationSeconds } }: Lease, now: number): boolean {
  const renewed = renewTime == null ? Number.NaN : Date.parse(renewTime)
  return leaseDurationSeconds === undefined || !(renewed + leaseDurationSeconds * 1000 >= now)
}

/** Deletes the Leases of servers that are gone. */
export function identityLeaseCollector({ registry, clock }: Services, client: Client, log: Logger): Part {
  const leases = registry.of(refs.leases)
  return new Periodic({
    name: 'collector of identity Leases',
    async work() {
      await leases.cache.load()
      for (const cached of [...leases.cache.range(`${leaseNamespace}/`)]) {
        const lease = leases.parse(cached)
        const { labels, name, resourceVersion } = lease.metadata
        if (labels?.[identityLabel] !== component || !isExpired(lease, clock.now())) continue
        await client.delete(leases, leaseNamespace, name!, { preconditions: { resourceVersion } }).catch(ignoreMissing)
      }
      return collectMs
    },
    retryMs: collectMs,
    clock,
    log
  })
}

/** Another server may have deleted or renewed the Lease. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error
}
