/** Which API servers there are: each holds a key with its address in a shared store, which ends some time after its server. */
import type { Store } from '../../storage/contract.js'

export interface ServerAddresses {
  /** Says that this server is there. */
  renew(): Promise<void>
  /** Says that it goes. Returns whether it had been there. */
  remove(): Promise<boolean>
  list(): Promise<readonly string[]>
}

/** kube-apiserver's, which renews them every 10 s. */
const leaseSeconds = 15

/** The server of an embedded store is the only one. */
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

/** The same keys as kube-apiserver's, so that both find each other. */
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
      await store.commit([{ key, value: Buffer.from(JSON.stringify(object)), ttl: leaseSeconds }])
    },
    async remove() {
      const { ok } = await store.commit([{ key, value: undefined }])
      return ok
    },
    async list() {
      const { items } = await store.list(prefix)
      return items.map(item => item.key.slice(prefix.length))
    }
  }
}

/** What --endpoint-reconciler-type=master-count does: nobody says who is there, but everybody knows how many there are. */
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
      // too many: those that follow this one have gone
      const surplus = Math.max(0, all.length - Math.max(1, count))
      const gone = new Set(Array.from({ length: surplus }, (_, i) => all[(own + 1 + i) % all.length]))
      return all.filter(other => !gone.has(other))
    }
  }
}
