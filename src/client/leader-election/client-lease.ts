/** A lock that is a Lease, for clients. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { KubeClient } from '../types.js'
import type { Lock } from './leader-election.js'

/** How often a conflict is met by another look. */
const mostAttempts = 5

export function clientLease(client: KubeClient, name: string, namespace: string): Lock {
  const leases = client.of('coordination.k8s.io/v1', 'Lease')
  /** The Lease as this process has last written it: it is written again without a look, as long as nobody else writes it. */
  let mine: (Lease & KubeObject) | undefined
  return {
    async update(change) {
      for (let attempt = 1; ; attempt++) {
        const present = mine ?? (await leases.find({ metadata: { name, namespace } }))
        mine = undefined
        const spec = change(present?.spec ?? undefined)
        if (!spec) return
        try {
          mine = present
            ? await leases.update({ ...present, spec } as never)
            : await leases.create({ metadata: { name, namespace }, spec } as never)
          return
        } catch (error) {
          // another one has written it, or deleted it
          const isLate = error instanceof StatusError && (error.code === 409 || (present !== undefined && error.code === 404))
          if (!isLate || attempt >= mostAttempts) throw error
        }
      }
    }
  }
}
