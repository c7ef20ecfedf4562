/** What strategies, admission plugins and subresources may know and do while they handle one object. */
import type { OperationContext } from '../request/admission.js'
import type { Origin } from '../request/origin.js'
import type { StrategyServices } from './strategy-services.js'
import type { DeleteOptions } from './write/delete-options.js'

export interface StrategyContext extends OperationContext {
  /** What the path of the request names ("" in a POST), and what is done with it. */
  readonly request: { readonly name: string; readonly verb: string }
  /** The options of the request as they were given, where there is one. */
  readonly query?: URLSearchParams | undefined
  readonly deleteOptions?: DeleteOptions | undefined
  /** What the server lends to strategies and plugins: other kinds' objects, allocators, the clock and randomness. */
  readonly services: StrategyServices
  /** The request that all is done for. */
  readonly origin: Origin
}
