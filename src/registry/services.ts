import type { Registry } from './registry.js'
import type { StrategyServices } from './strategy-services.js'

/** What one server lends to admission, endpoints, subresources and controllers. */
export interface Services extends StrategyServices {
  readonly registry: Registry
}
