import { loadOrCreatePki, type Pki, type PkiOptions } from '../transport/certificates/pki.js'
import { servingNames } from '../transport/certificates/serving-names.js'
import type { Clock } from '../util/clock.js'
import { bindAddressOf, serviceRangeOf } from './defaults.js'
import type { ServerOptions } from './options.js'

/**
 * Reads the server's keys and certificates, makes missing ones and renews expiring ones. `files` are those of an earlier call, `saved`
 * those of a saved snapshot.
 */
export function openPki(
  options: ServerOptions,
  clock: Clock,
  { files, saved }: Pick<PkiOptions, 'files' | 'saved'> = {}
): Promise<Pki> {
  const { advertiseAddress, externalHostname } = options
  const { tlsCertFile, tlsPrivateKeyFile, clientCAFile, serviceAccountKeyFiles, serviceAccountSigningKeyFile } = options
  return loadOrCreatePki({
    files,
    saved,
    directory: options.certDir ?? (options.dataDir === undefined ? undefined : `${options.dataDir}/pki`),
    servingNames: servingNames({
      bindAddress: bindAddressOf(options),
      advertiseAddress,
      externalHostname,
      serviceClusterIPRange: serviceRangeOf(options)
    }),
    now: clock.now(),
    tlsCertFile,
    tlsPrivateKeyFile,
    clientCAFile,
    serviceAccountKeyFiles,
    serviceAccountSigningKeyFile,
    // whoever says which proxies are trusted also provides the certificate with which this server acts as a proxy
    makesFrontProxy: !options.proxyClientCertFile && !options.requestheaderClientCAFile
  })
}
