/** Counts the requests of a client, under client-go's name. */
import type { Metrics } from '../../util/instruments/metrics.js'
import type { ClusterClient } from '../cluster-client.js'
import type { KubeClient } from '../types.js'

/** Counts until the function that it returns is called. A client in the server's process sends nothing that could be counted. */
export function countRequests(client: KubeClient, metrics: Metrics): () => void {
  if (!isOfCluster(client)) return () => {}
  const requests = metrics.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server, by status code, method and host.',
    labels: ['code', 'method', 'host']
  })
  return client.onAnswer(({ code, method, host }) =>
    requests.of(code === undefined ? '<error>' : String(code), method, host).add()
  )
}

const isOfCluster = (client: KubeClient): client is ClusterClient => 'onAnswer' in client
