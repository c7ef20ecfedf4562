/** Defaults of options that several parts of the server read. */
import type { AuthenticationSettings } from '../auth/authentication/jwt/settings.js'
import type { ServerOptions } from './options.js'

export const bindAddressOf = ({ bindAddress }: ServerOptions): string => bindAddress ?? '127.0.0.1'

/** The engine that keeps the objects: LMDB with a data folder, memory without one. */
export const storageBackendOf = (options: ServerOptions): 'lmdb' | 'memory' | 'etcd3' =>
  options.storageBackend ??
  (options.etcdServers?.length ? 'etcd3' : options.dataDir === undefined || options.snapshot !== undefined ? 'memory' : 'lmdb')

export const serviceRangeOf = ({ serviceClusterIPRange }: ServerOptions): string => serviceClusterIPRange ?? '10.0.0.0/24'

/** The issuers of service account tokens: the first issues them, and tokens of all are accepted. */
export const issuersOf = ({ serviceAccountIssuer }: ServerOptions): readonly string[] =>
  serviceAccountIssuer ?? ['https://kubernetes.default.svc']

/** Whether requests without credentials are served, and on which paths. A configuration file decides before the options. */
export function anonymousAccess(
  { anonymousAuth, authorizationMode }: ServerOptions,
  { anonymous }: AuthenticationSettings
): { anonymous: boolean; anonymousPaths?: ReadonlySet<string> | undefined } {
  if (!anonymous) return { anonymous: anonymousAuth ?? !authorizationMode?.includes('AlwaysAllow') }
  const paths = (anonymous.conditions ?? []).map(({ path = '' }) => path)
  return { anonymous: anonymous.enabled ?? false, anonymousPaths: paths.length > 0 ? new Set(paths) : undefined }
}

/** The audiences by which the server is known: tokens must be for one of them. */
export const apiAudiencesOf = (options: ServerOptions): readonly string[] => {
  const { apiAudiences = [] } = options
  return apiAudiences.length > 0 ? apiAudiences : issuersOf(options)
}
