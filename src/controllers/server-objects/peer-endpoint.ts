/** Where other API servers that share the store reach this one, for requests that only it can serve (KEP-4020). */
import type { Services } from '../../registry/services.js'
import type { Store } from '../../storage/contract.js'
import { overwrite } from '../../storage/overwrite.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { serverId } from '../../util/server-id.js'
import { Periodic } from '../periodic.js'

/** An address with a port. */
export interface PeerAddress {
  readonly ip: string
  readonly port: number
}

/** The key of a server's address. */
export const peerKey = ({ root }: Pick<Store, 'root'>, server: string): string => `${root}/peerserverleases/${server}`

const renewMs = 10_000
const leaseSeconds = 15

/** Keeps the same key as kube-apiserver, which ends some time after its server. A store that nobody shares has no such key. */
export function peerEndpoint({ store, clock, hostName }: Services, address: () => PeerAddress, log: Logger): Part {
  const name = 'address for other API servers'
  if (!store.shared) return { name }
  const id = serverId(hostName)
  const key = peerKey(store, id)
  let generation = 0
  const renewing = new Periodic({
    name,
    async work() {
      const { ip, port } = address()
      const object = {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { generation: ++generation, creationTimestamp: null, labels: { apiserverIdentity: id } },
        subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port, protocol: 'TCP' }] }]
      }
      await overwrite(store, { key, value: Buffer.from(JSON.stringify(object)), ttl: leaseSeconds })
      return renewMs
    },
    retryMs: renewMs,
    clock,
    log
  })
  return {
    name,
    start: () => renewing.start(),
    async stop() {
      await renewing.stop()
      const removed = overwrite(store, { key, value: undefined })
      await removed.catch(error => log.warn(`the address for other API servers could not be removed: ${error.message}`))
    }
  }
}
