/** Connects to the server of a kubeconfig. It loads undici, so import it only when there is a call to make. */
import { type Dispatcher, request } from 'undici'
import type { Connect } from '../egress/egress-selector.js'
import { makeAgent, makeProxyAgent, throughEgress } from './agent.js'
import type { Kubeconfig } from './kubeconfig.js'

export interface RemoteConnection {
  readonly request: typeof request
  readonly dispatcher: Dispatcher
}

export function connect(
  { ca, serverName, insecure, cert, key, proxy }: Kubeconfig,
  egress: Connect | undefined
): RemoteConnection {
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(cert === undefined ? {} : { cert, key }),
    rejectUnauthorized: !insecure
  }
  return { request, dispatcher: proxy === undefined ? makeAgent(tls, throughEgress(egress)) : makeProxyAgent(proxy, tls) }
}
