/** What one server lends to strategies, admission plugins, subresources and controllers. */
import type { Clock } from '../util/clock.js'
import type { ServiceNetwork } from './service-network.js'
import type { Registry } from './registry.js'
import type { Store } from '../storage/contract.js'
import type { Randomness } from '../util/randomness.js'

export interface Services {
  readonly clock: Clock
  readonly random: Randomness
  readonly store: Store
  readonly registry: Registry
  readonly network: ServiceNetwork
}
