/** The request and the services for strategies, admission plugins and subresources while they handle one object. */
import type { OperationContext } from '../apimachinery/request/admission.js'
import type { Origin } from '../apimachinery/request/origin.js'
import type { StrategyServices } from './strategy-services.js'
import type { DeleteOptions } from './write/delete-options.js'

export interface StrategyContext extends OperationContext {
  /** The name in the path of the request ("" in a POST), and the verb. */
  readonly request: { readonly name: string; readonly verb: string }
  /** The query of the request; undefined for writes by the server itself. */
  readonly query?: URLSearchParams | undefined
  readonly deleteOptions?: DeleteOptions | undefined
  /** The server's services: objects of other kinds, allocators, the clock and randomness. */
  readonly services: StrategyServices
  /** The request that caused the operation. */
  readonly origin: Origin
}
