import { X509Certificate } from 'node:crypto'
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { RequestHeaderOptions } from '../auth/authentication/request-header.js'
import { parseAuthorities, readFlagFile } from '../transport/certificates/key-files.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

const caFlag = '--requestheader-client-ca-file'

/**
 * Reads what the authenticating proxy is trusted by; undefined without --requestheader-client-ca-file. `clientCAs` are the
 * authorities (PEM) of ordinary clients. Rejects with a UserError.
 */
export async function loadRequestHeader(
  options: ServerOptions,
  clientCAs: readonly string[],
  features: Pick<FeatureGates, 'enabled'>
): Promise<RequestHeaderOptions | undefined> {
  const { requestheaderClientCAFile: file, requestheaderUidHeaders: uidHeaders = [] } = options
  const { requestheaderAllowedNames: allowedNames = [] } = options
  if (uidHeaders.length > 0 && !features.enabled('RemoteRequestHeaderUID'))
    throw new UserError('--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled')
  if (uidHeaders.length > 0 && !uidHeaders.some(name => name.toLowerCase() === 'x-remote-uid'))
    throw new UserError(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work'
    )
  if (!file) return undefined
  const authorities = parseAuthorities(`${caFlag} ${file}`, await readFlagFile(caFlag, file))
  const der = (pem: string) => new X509Certificate(pem).raw.toString('base64')
  const ordinary = new Set(clientCAs.map(der))
  if (allowedNames.length === 0 && authorities.some(pem => ordinary.has(der(pem))))
    throw new UserError(
      `${caFlag} and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users`
    )
  return {
    authorities,
    allowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders ?? [],
    uidHeaders,
    groupHeaders: options.requestheaderGroupHeaders ?? [],
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix ?? []
  }
}
