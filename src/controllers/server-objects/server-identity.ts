/** The identity of this server among those that share a store, and the Lease that shows it to be alive (KEP-1965). */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Lease } from '../../api/generated/coordination-v1.js'
import * as refs from '../../api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

/** The label by which the Leases of API servers are found. */
export const identityLabel = 'apiserver.kubernetes.io/identity'
export const component = 'kube-apiserver'
export const leaseNamespace = 'kube-system'
const leaseSeconds = 3600
const renewMs = 10_000

/** kube-apiserver's: a hash of the host's name and of its own, each behind its length in two bytes. */
export function serverId(): string {
  const hash = createHash('sha256')
  for (const text of [hostname(), component]) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(text))
    hash.update(length).update(text)
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.match(/.{1,5}/g)!.reduce((text, five) => text + letters[Number.parseInt(five.padEnd(5, '0'), 2)], '')
}

/** Keeps the Lease of this server alive. */
export function identityLease({ registry, clock, queues, random }: Services, client: Client, log: Logger): Part {
  const id = serverId()
  const holderIdentity = `${id}_${random.uuid()}`
  const leases = registry.of(refs.leases)
  const renew = async (): Promise<number> => {
    const spec = {
      holderIdentity,
      leaseDurationSeconds: leaseSeconds,
      renewTime: `${new Date(clock.now()).toISOString().slice(0, -1)}000Z`
    }
    const labels = { [identityLabel]: component, 'kubernetes.io/hostname': hostname() }
    const created = await client.ensure(leases, leaseNamespace, { metadata: { name: id, labels }, spec } as never)
    if (!created)
      await client.update<Lease>(leases, leaseNamespace, id, lease => {
        lease.metadata.labels = { ...lease.metadata.labels, ...labels }
        lease.spec = { ...lease.spec, ...spec }
      })
    return renewMs
  }
  const controller = new Controller({ name: 'apiserver identity', watches: [], reconcile: renew, clock, queues, log })
  return {
    name: controller.name,
    async start() {
      await renew()
      await controller.start()
      // the first renewal comes with the queue
      controller.enqueue(id)
    },
    stop: () => controller.stop()
  }
}
