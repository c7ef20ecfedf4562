/**
 * Repairs what is claimed for Services: addresses (service-addresses.ts) and node ports (service-ports.ts), as two controllers of kube-apiserver do.
 * Where a commit has one write at most, a claim comes before its Service, and goes after it: a server that dies, or a store that does not answer,
 * leaves claims behind. Other stores take Service and claims together, so that only users can part them.
 */
import type { Client } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { Periodic } from './periodic.js'
import { addressRepair } from './service-addresses.js'
import { portRepair } from './service-ports.js'

/** Longer than a request may take, and its last write after that. */
const intervalMs = 90_000

/** How often kube-apiserver looks at each Service. */
const calmIntervalMs = 180_000

export function serviceClaimsRepair(services: Services, client: Client, log: Logger): Part {
  const { network, store, clock } = services
  const repairAddresses = addressRepair(services, client, log)
  const repairPorts = portRepair(network, store, log)
  const isCalm = !store.singleWrites
  const interval = isCalm ? calmIntervalMs : intervalMs
  let waits = isCalm
  return new Periodic({
    name: 'repair of claims of Services',
    async work() {
      // no start of a server breaks these claims, so the start need not wait for a look at them
      if (waits) {
        waits = false
        return interval
      }
      // who is behind does not see the Services of the claims that it sees
      await store.currentRevision()
      await repairAddresses()
      await repairPorts()
      return interval
    },
    retryMs: interval,
    clock,
    log
  })
}
