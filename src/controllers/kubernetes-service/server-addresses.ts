/**
 * Finds the API servers that share a store: each keeps a key with its address, which expires some time after its server has
 * ended.
 */
import type { Store } from '../../storage/contract.js'
import { overwrite } from '../../storage/overwrite.js'

export interface ServerAddresses {
  /** Shows that this server runs. */
  renew(): Promise<void>
  /** Shows that this server ends. Returns whether it was shown before. */
  remove(): Promise<boolean>
  list(): Promise<readonly string[]>
}

/** The time of kube-apiserver's leases, which are renewed every 10 s. */
const leaseSeconds = 15

/** Returns the addresses for an embedded store, whose server is the only one. */
export function aloneAt(address: string): ServerAddresses {
  let isThere = false
  return {
    async renew() {
      isThere = true
    },
    async remove() {
      const was = isThere
      isThere = false
      return was
    },
    list: async () => (isThere ? [address] : [])
  }
}

/** Keeps the same keys as kube-apiserver, so that each finds the other. */
export function leasesIn(store: Store, address: string): ServerAddresses {
  const prefix = `${store.root}/masterleases/`
  const key = prefix + address
  let generation = 0
  return {
    async renew() {
      const object = {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { generation: ++generation, creationTimestamp: null },
        subsets: [{ addresses: [{ ip: address }] }]
      }
      await overwrite(store, { key, value: Buffer.from(JSON.stringify(object)), ttl: leaseSeconds })
    },
    remove: () => overwrite(store, { key, value: undefined }),
    async list() {
      const { items } = await store.list(prefix)
      return items.map(item => item.key.slice(prefix.length))
    }
  }
}

/** Does what --endpoint-reconciler-type=master-count asks for: no server shows that it runs, but all know how many there are. */
export function countedServers(address: string, count: number, present: () => readonly string[]): ServerAddresses {
  let isThere = false
  return {
    async renew() {
      isThere = true
    },
    async remove() {
      const was = present().includes(address)
      isThere = false
      return was
    },
    async list() {
      const others = present().filter(other => other !== address)
      if (!isThere) return others
      const all = [...others, address].sort()
      const own = all.indexOf(address)
      // there are too many: the ones that follow this server have ended
      const surplus = Math.max(0, all.length - Math.max(1, count))
      const gone = new Set(Array.from({ length: surplus }, (_, i) => all[(own + 1 + i) % all.length]))
      return all.filter(other => !gone.has(other))
    }
  }
}
