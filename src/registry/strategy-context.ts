/** The request and the services for strategies, admission plugins and subresources while they handle one object. */
import type { Origin } from '../request/origin.js'
import type { UserInfo } from '../request/user.js'
import type { StrategyServices } from './strategy-services.js'
import type { DeleteOptions } from './write/delete-options.js'

export interface StrategyContext {
  /** Milliseconds. */
  readonly now: number
  readonly user: UserInfo
  readonly namespace: string
  /** The name in the path of the request ("" in a POST), and the verb. */
  readonly request: { readonly name: string; readonly verb: string }
  /** The version in the path of the request. */
  readonly version: string
  /** "" for the main resource. */
  readonly subresource: string
  readonly dryRun: boolean
  /** The query of the request; undefined for writes by the server itself. */
  readonly query?: URLSearchParams | undefined
  readonly deleteOptions?: DeleteOptions | undefined
  /** The server's services: objects of other kinds, allocators, the clock and randomness. */
  readonly services: StrategyServices
  /** The request that caused the operation. */
  readonly origin: Origin
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void
}
