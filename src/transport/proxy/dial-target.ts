/** Where connections to other servers lead, and what opens them. */
import type { Duplex } from 'node:stream'

export interface DialTarget {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** The address to connect to, if the host's addresses are known already. */
  readonly address?: string
}

/** Opens a connection. Rejects with Go's words for what went wrong, and with the reason of the signal when that aborts. */
export type Dial = (target: DialTarget, signal?: AbortSignal) => Promise<Duplex>

/** Servers in this process: what they return is the other end of a connection to them. */
export interface InProcessServers {
  /** Whether one of them has the target; left out while there are none. */
  serves?: ((target: DialTarget) => boolean) | undefined
  /** Returns undefined for a target that is none of them; left out while there are none. */
  connect?: ((target: DialTarget) => Duplex | undefined) | undefined
  /** The same for Pods, which may be reached by those who may not reach kubelets. */
  connectToPod?: ((target: DialTarget) => Duplex | undefined) | undefined
}
