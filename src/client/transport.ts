/** How a client reaches its server. */
import type { Duplex } from 'node:stream'
import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'

/** The names that paths need of a kind. */
export interface KindNames {
  readonly apiVersion: string
  readonly kind: string
  /** The plural, as in paths. */
  readonly resource: string
  readonly namespaced: boolean
}

/**
 * A WebSocket that is open.
 *
 * @example
 * const { protocol, connection }: OpenWebSocket = await client.webSocket({ url }, ['v5.channel.k8s.io'])
 * connection.on('data', message => console.log(message))
 */
export interface OpenWebSocket {
  /** The subprotocol that the server has chosen. */
  readonly protocol: string
  /** Each chunk that is read or written is one message: text as a string, otherwise a Buffer. */
  readonly connection: Duplex
}

export interface Transport {
  /** Whether requests can be sent now. */
  readonly isOpen: boolean
  /** The namespace of objects that name none; `default`. */
  readonly namespace?: string
  /** Whether the server is reached over a network, and has other clients: informers ask it for lists as watches (KEP-3157), and more seldom when it fails. */
  readonly isDistant?: boolean
  /** The names of a kind that every server has; undefined for kinds that discovery has to be asked for. */
  known(apiVersion: string, kind: string): KindNames | undefined
  /** Sends a request, and resolves when the whole answer is there. Rejects with the signal's reason when that aborts: the server may then have done the work, or not. */
  send(request: InjectedRequest, signal?: AbortSignal): Promise<InjectedResponse>
  /** Sends a request whose answer is read while it arrives. */
  open(request: InjectedRequest, signal?: AbortSignal): Promise<StreamedAnswer>
  /** Opens a WebSocket, in the first of the subprotocols that the server speaks. Rejects with a StatusError when it refuses. */
  webSocket(request: InjectedRequest, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket>
}
