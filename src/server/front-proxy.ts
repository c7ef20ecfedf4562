import { X509Certificate } from 'node:crypto'
import { FileFollower } from '../apimachinery/config/reload.js'
import type { FrontProxyCertificate } from '../apiserver/aggregation/remote-connections.js'
import type { RequestHeaderOptions } from '../auth/authentication/request-header.js'
import { parseCertificates, parsePrivateKey, privateKeyPem, readFlagFile } from '../transport/certificates/key-files.js'
import { frontProxyName, type Pki } from '../transport/certificates/pki.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

/**
 * Returns the certificate that this server shows to extension API servers: the given one, or its own; undefined when an operator has
 * named authorities of front proxies, but no certificate. Rejects with a UserError.
 */
export async function loadFrontProxy(
  { proxyClientCertFile, proxyClientKeyFile }: ServerOptions,
  { frontProxy }: Pki
): Promise<FrontProxyCertificate | undefined> {
  if (!proxyClientCertFile && !proxyClientKeyFile) return frontProxy
  if (!proxyClientCertFile || !proxyClientKeyFile)
    throw new UserError('--proxy-client-cert-file and --proxy-client-key-file must be given together')
  const source = `--proxy-client-cert-file ${proxyClientCertFile}`
  const keySource = `--proxy-client-key-file ${proxyClientKeyFile}`
  const chain = parseCertificates(source, await readFlagFile('--proxy-client-cert-file', proxyClientCertFile))
  const key = parsePrivateKey(keySource, await readFlagFile('--proxy-client-key-file', proxyClientKeyFile))
  if (!new X509Certificate(chain[0]!).checkPrivateKey(key)) throw new UserError(`${source} does not belong to ${keySource}`)
  return { certificate: chain.join(''), key: privateKeyPem(key) }
}

interface Following {
  readonly pki: Pki
  readonly clock: Clock
  readonly log: Logger
  use(certificate: FrontProxyCertificate | undefined): void
}

/**
 * Makes the parts that take new contents of the files into use while the server runs. While only one of the two files has been
 * written, they do not match.
 */
export function followFrontProxy(options: ServerOptions, { pki, clock, log, use }: Following): FileFollower[] {
  const changed = async () => use(await loadFrontProxy(options, pki))
  const failed = (error: Error) => log.error(`the certificate for extension API servers stays as it was: ${error.message}`)
  return [options.proxyClientCertFile, options.proxyClientKeyFile].flatMap(path =>
    path ? new FileFollower({ path, text: '', clock, changed, failed }) : []
  )
}

/** Returns the authorities that extension API servers must trust to believe this server's headers. `namesUids`: whether users have UIDs there. */
export const publishedTrust = (
  given: RequestHeaderOptions | undefined,
  { frontProxy }: Pki,
  namesUids: boolean
): RequestHeaderOptions | undefined =>
  given ??
  (frontProxy && {
    authorities: [frontProxy.authority],
    allowedNames: [frontProxyName],
    usernameHeaders: ['X-Remote-User'],
    uidHeaders: namesUids ? ['X-Remote-Uid'] : [],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-']
  })
