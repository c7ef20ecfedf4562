/** A client of a cluster that is reached over the network. */
import type { AnsweredRequest } from './connect/answered-request.js'
import type { KubeClient } from './types.js'

/**
 * A client that `connect` made. It keeps connections and timers only while something waits for them, so that a program may end
 * without `close`.
 *
 * @example
 * const client: ClusterClient = await connect({ context: 'staging' })
 * console.log(client.url, client.namespace)
 * await client.close()
 */
export interface ClusterClient extends KubeClient, AsyncDisposable {
  /** `https://10.0.0.1:6443` */
  readonly url: string
  /** Calls the listener for each request, also of clients with other signals. Returns what ends that. */
  onAnswer(listener: (request: AnsweredRequest) => void): () => void
  /** Ends requests, watches and informers. */
  close(): Promise<void>
}
