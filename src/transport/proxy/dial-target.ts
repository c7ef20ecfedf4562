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
