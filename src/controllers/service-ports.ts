/** Releases node ports that are claimed for Services which do not have them (service-claims.ts). */
import type { ServiceNetwork } from '../registry/network/service-network.js'
import type { Store } from '../storage/contract.js'
import type { Logger } from '../util/logger.js'

/** In how many looks in a row a port must be nobody's, as in kube-apiserver: nothing tells a claim from another one of the same port. */
const looksOfPorts = 3

/** Returns what looks at the ports once. */
export function portRepair(
  network: Pick<ServiceNetwork, 'unusedPorts' | 'releasePorts'>,
  store: Store,
  log: Logger
): () => Promise<void> {
  /** In how many looks in a row a port was nobody's. */
  let last = new Map<number, number>()
  return async () => {
    const found = new Map(network.unusedPorts().map(port => [port, (last.get(port) ?? 0) + 1]))
    const leaked = [...found].flatMap(([port, looks]) => (looks >= looksOfPorts ? [port] : []))
    last = found
    if (leaked.length === 0) return
    log.error(`node ports ${leaked.join(', ')}, which no Service has, are released`)
    // if another write came first, they are found again
    if (await network.releasePorts(leaked, store)) for (const port of leaked) found.delete(port)
  }
}
