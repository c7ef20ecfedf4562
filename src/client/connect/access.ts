/** Which cluster a client reaches, and as whom. */
import type { Credentials } from './credentials.js'

export interface ClusterAccess {
  /** The name of the context of a kubeconfig. */
  readonly context?: string | undefined
  /** `https://10.0.0.1:6443`; a path stands before those of all requests. */
  readonly server: URL
  /** PEM of the authorities of the server's certificate; those that Node.js trusts. */
  readonly ca: string | undefined
  /** The name that the server's certificate must have, instead of the host's. */
  readonly serverName: string | undefined
  /** Whether any certificate will do. */
  readonly insecure: boolean
  /** The proxy: `http:`, `https:` or `socks5:`. */
  readonly proxy: URL | undefined
  /** Whether answers may be compressed. */
  readonly compress: boolean
  /** The namespace of objects that name none. */
  readonly namespace: string
  readonly credentials: Credentials
  /** Sent with each request: those of impersonation. */
  readonly headers: Readonly<Record<string, string | string[]>>
}
