/**
 * The leases of etcd that end keys written with a ttl. Like kube-apiserver, one lease serves many keys of a resource for a while:
 * granting a lease costs etcd as much as a write. Resources have ttls of their own, so a lease is found by its ttl.
 */
import { status } from '@grpc/grpc-js'
import { type EtcdClient, EtcdError } from './client.js'
import { decodeLeaseGrant, encodeLeaseGrant } from './messages.js'

export interface LeaseOptions {
  /** Seconds that a lease serves new keys; 60. At most a twentieth of the ttl. */
  readonly reuseSeconds?: number | undefined
  /** Told how many keys a lease was used for, when another lease follows it. */
  readonly leaseUsed?: ((keys: number) => void) | undefined
  /** Milliseconds of a clock that nobody sets, so that no lease is used after its end. */
  readonly now?: () => number
}

interface Lease {
  readonly id: Promise<number>
  /** Until when it serves new keys: they then still have their ttl. */
  readonly until: number
  keys: number
}

/** Keys of one lease end in one transaction of etcd, which should stay small. */
const mostKeys = 1000
const reusePart = 0.05
/** Ids of our own choice fit a number, which etcd's 63 bits do not. */
const mostId = 2 ** 48

export class Leases {
  readonly #client: Pick<EtcdClient, 'call'>
  readonly #options: LeaseOptions
  /** By their ttl: one for each of the few that the server's resources have. */
  readonly #leases = new Map<number, Lease>()

  constructor(client: Pick<EtcdClient, 'call'>, options: LeaseOptions = {}) {
    this.#client = client
    this.#options = options
  }

  /** Returns the id of a lease that lasts `ttl` seconds from now on, or a little longer. */
  async of(ttl: number): Promise<number> {
    const { reuseSeconds = 60, leaseUsed, now = () => performance.now() } = this.#options
    const present = this.#leases.get(ttl)
    if (present && now() < present.until && present.keys < mostKeys) {
      present.keys++
      return present.id
    }
    const reused = Math.min(reuseSeconds, Math.floor(ttl * reusePart))
    const id = this.#grant(ttl + reused)
    const lease: Lease = { id, until: now() + reused * 1000, keys: 1 }
    this.#leases.set(ttl, lease)
    if (present) leaseUsed?.(present.keys)
    id.catch(() => {
      if (this.#leases.get(ttl) === lease) this.#leases.delete(ttl)
    })
    return id
  }

  async #grant(seconds: number): Promise<number> {
    for (;;) {
      const id = 1 + Math.floor(Math.random() * (mostId - 1))
      try {
        // kine answers with the seconds, and takes the id of a lease for seconds wherever a key is written with it
        return await this.#client.call('/etcdserverpb.Lease/LeaseGrant', encodeLeaseGrant(id, seconds), decodeLeaseGrant, false)
      } catch (error) {
        const isTaken =
          error instanceof EtcdError && error.code === status.FAILED_PRECONDITION && /already exists/.test(error.message)
        if (!isTaken) throw error
      }
    }
  }
}
