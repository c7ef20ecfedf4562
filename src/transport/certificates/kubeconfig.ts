import { dirname } from 'node:path'
import { fileError } from '../../util/user-error.js'
import { makePrivateDirectory, writeFileAtomically } from './pki-files.js'

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** PEM certificates that the client trusts. */
  readonly certificateAuthority: string
  /** The name to check the serving certificate against, if it is not the server's address. */
  readonly tlsServerName?: string | undefined
}

/** The credentials of a client: a certificate with its key, as PEM, or a bearer token. */
export type Credentials = { readonly clientCertificate: string; readonly clientKey: string } | { readonly token: string }

export const certificateOf = ({ certificate, key }: { certificate: string; key: string }): Credentials => ({
  clientCertificate: certificate,
  clientKey: key
})

/** Returns a self-contained kubeconfig with one cluster, one user and one context, all named binnacle. */
export const kubeconfigText = (options: KubeconfigOptions & Credentials): string => `apiVersion: v1
kind: Config
current-context: binnacle
contexts:
- name: binnacle
  context:
    cluster: binnacle
    user: binnacle
clusters:
- name: binnacle
  cluster:
    server: ${JSON.stringify(options.server)}
${options.tlsServerName === undefined ? '' : `    tls-server-name: ${JSON.stringify(options.tlsServerName)}\n`}\
    certificate-authority-data: ${base64(options.certificateAuthority)}
users:
- name: binnacle
  user:
${
  'token' in options
    ? `    token: ${JSON.stringify(options.token)}`
    : `    client-certificate-data: ${base64(options.clientCertificate)}
    client-key-data: ${base64(options.clientKey)}`
}
`

/** Writes a kubeconfig so that only its owner can read it, because it contains a private key. */
export const writeKubeconfig = async (path: string, text: string): Promise<void> => {
  try {
    await makePrivateDirectory(dirname(path))
    await writeFileAtomically(path, text, 0o600)
  } catch (error) {
    throw fileError(path, error)
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
