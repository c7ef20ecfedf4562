/**
 * Finds where the other API servers over the same store are reached: each keeps a key with its address, which expires some time after its
 * server has ended.
 */
import type { Endpoints } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { type PeerAddress, peerKey } from '../../controllers/server-objects/peer-endpoint.js'
import { ownForm } from '../../registry/form/stored-value.js'
import type { Services } from '../../registry/services.js'

/** Resolves with undefined for a server that has no address now. */
export type AddressOf = (server: string) => Promise<PeerAddress | undefined>

export function peerAddresses({ store, registry, clock }: Pick<Services, 'store' | 'registry' | 'clock'>): AddressOf {
  const endpoints = registry.of(refs.endpoints)
  return async server => {
    const found = await store.get(peerKey(store, server))
    if (!found) return undefined
    // kube-apiserver writes Protobuf
    const { subsets }: Endpoints = JSON.parse(ownForm(endpoints, found.value, clock.now()).toString())
    const ip = subsets?.[0]?.addresses?.[0]?.ip
    const port = subsets?.[0]?.ports?.[0]?.port
    return ip === undefined || port === undefined ? undefined : { ip, port }
  }
}
