import type { WorkQueues } from '../instruments/work-queues.js'
import type { Registry } from './registry.js'
import type { StrategyServices } from './strategy-services.js'

/** The services of one server for admission, endpoints, subresources and controllers. */
export interface Services extends StrategyServices {
  readonly registry: Registry
  readonly queues: WorkQueues
}
