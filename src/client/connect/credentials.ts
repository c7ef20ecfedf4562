/** Who a client is: what its requests and its connections carry. */

/** PEM of a client certificate and its key. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

export interface Credentials {
  /** The value of the header Authorization; undefined without one. */
  authorization(): Promise<string | undefined>
  /** The certificate of new connections: the same object as long as it stays the same. */
  certificate(): Promise<ClientCertificate | undefined>
  /** After a 401: gets other credentials where that is possible, and says whether there are any. */
  renew(): Promise<boolean>
}

const nothing = Promise.resolve(undefined)

/** Credentials that stay. */
export function fixedCredentials(authorization?: string, certificate?: ClientCertificate): Credentials {
  const [header, pair] = [Promise.resolve(authorization), certificate ? Promise.resolve(certificate) : nothing]
  return { authorization: () => header, certificate: () => pair, renew: async () => false }
}

export const bearer = (token: string): string => `Bearer ${token}`
export const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
