/** Connects to the server of a kubeconfig. Loads undici, so import it only when there is a call to make. */
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'
import type { Kubeconfig } from './kubeconfig.js'

export interface RemoteConnection {
  readonly request: typeof request
  readonly dispatcher: Dispatcher
}

const idleMs = 30_000

export function connect({ ca, serverName, insecure, cert, key, proxy }: Kubeconfig): RemoteConnection {
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(cert === undefined ? {} : { cert, key }),
    rejectUnauthorized: !insecure,
    timeout: idleMs
  }
  const shared = { keepAliveTimeout: idleMs }
  const dispatcher =
    proxy === undefined ? new Agent({ ...shared, connect: tls }) : new ProxyAgent({ ...shared, uri: proxy, requestTls: tls })
  return { request, dispatcher }
}
