/** How many things one server keeps for the clients of its test API. */
export interface TestApiLimits {
  /** Servers below `/servers/`. */
  readonly servers: number
  readonly snapshots: number
  /** Fault rules, used up or not. */
  readonly faults: number
  /** The most bytes of a body. */
  readonly bodyBytes: number
}

export const defaultLimits: TestApiLimits = { servers: 500, snapshots: 100, faults: 1000, bodyBytes: 256 * 1024 }
