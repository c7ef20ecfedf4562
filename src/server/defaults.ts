/** The defaults of options that several parts read. */
import type { ServerOptions } from '../options.js'

export const bindAddressOf = ({ bindAddress }: ServerOptions): string => bindAddress ?? '127.0.0.1'

export const serviceRangeOf = ({ serviceClusterIPRange }: ServerOptions): string => serviceClusterIPRange ?? '10.0.0.0/24'

/** The issuers of service account tokens: the first issues them, and tokens of all are accepted. */
export const issuersOf = ({ serviceAccountIssuer }: ServerOptions): readonly string[] =>
  serviceAccountIssuer ?? ['https://kubernetes.default.svc']

/** The audiences by which the server is known: tokens must be for one of them. */
export const apiAudiencesOf = (options: ServerOptions): readonly string[] => {
  const { apiAudiences = [] } = options
  return apiAudiences.length > 0 ? apiAudiences : issuersOf(options)
}
