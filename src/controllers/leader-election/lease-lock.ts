import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Lock } from '../../client/leader-election/leader-election.js'
import type { Client } from '../../registry/client.js'
import type { Resource } from '../../registry/resource.js'

const namespace = 'kube-system'

/** Thrown when `change` returns undefined: the Lease stays as it is. */
class Unchanged extends Error {}

/** A lock that is a Lease in kube-system. */
export const leaseLock = (leases: Resource, client: Client, name: string): Lock => ({
  async update(change) {
    try {
      await leases.cache.catchUp()
      if (!leases.get(namespace, name)) {
        const spec = change(undefined)
        if (spec) await client.create(leases, namespace, { metadata: { name }, spec } as never)
        return
      }
      await client.update(leases, namespace, name, (lease: Lease) => {
        const spec = change(lease.spec)
        if (!spec) throw new Unchanged()
        lease.spec = spec
      })
    } catch (error) {
      const created = error instanceof StatusError && error.status.reason === 'AlreadyExists'
      if (created) return this.update(change)
      if (!(error instanceof Unchanged)) throw error
    }
  }
})
