/** Another server that a request is passed on to. */
import http from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dial, DialTarget } from './dial-target.js'

export interface Upstream {
  readonly dial: Dial
  readonly target: DialTarget
  /** Escaped, without the query. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** Keeps connections for later requests; each request has a connection of its own when left out. */
  readonly agent?: http.Agent | undefined
  /** What the server knows this one by: the host that it is asked for, and headers, instead of those of the client. */
  readonly identity?: Identity | undefined
  /** Milliseconds in which the answer must begin. */
  readonly timeoutMs?: number | undefined
  /** Whether an answer that redirects the client is refused. */
  readonly rejectsRedirects?: boolean | undefined
  /** Whether links in answers lead where they should as they are. */
  readonly keepsLinks?: boolean | undefined
  /** Which headers of answers the client gets, by their names in lower case; all when left out. */
  readonly passesBack?: ((header: string) => boolean) | undefined
  /** Most bytes that an upgraded connection carries in each direction; any number when left out. */
  readonly bytesPerSecond?: number | undefined
}

export interface Identity {
  readonly host: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** Idle connections end after this time. */
const idleMs = 90_000

/** Keeps the connections that `dial` opens to one server, or to several that share certificates. */
export class DialingAgent extends http.Agent {
  readonly #dial: Dial

  constructor(dial: Dial) {
    super({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs })
    this.#dial = dial
  }

  override createConnection(options: http.ClientRequestArgs, opened?: (error: Error | null, socket: Duplex) => void): undefined {
    this.#dial({ scheme: 'https', host: options.host!, port: Number(options.port) }).then(
      socket => opened?.(null, socket),
      error => opened?.(error as Error, undefined as never)
    )
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // the types of Node leave out that it answers
    const isKept = super.keepSocketAlive(socket) as unknown as boolean
    if (isKept) socket.on('data', destroyUnasked)
    return isKept
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest): void {
    socket.off('data', destroyUnasked)
    super.reuseSocket(socket, request)
  }
}

/** What comes while nobody has asked could be taken for the answer to the next request, which may be that of another user. Go closes here, too. */
function destroyUnasked(this: Duplex): void {
  this.destroy()
}
