import { X509Certificate } from 'node:crypto'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { compareUtf8 } from '../../../util/go-format.js'
import { parseUrl, UrlError } from '../../../util/go-url.js'
import type { IssuerConfig } from './configuration.js'

/** Validates the location of an issuer and its audiences. */
export function validateIssuer(issuer: IssuerConfig, path: Path, disallowed: readonly string[], errors: FieldErrors): void {
  const { url = '', discoveryURL = '', certificateAuthority = '', egressSelectorType = '' } = issuer
  if (url === '') errors.required(path.child('url'))
  else validateUrl(url, disallowed, path.child('url'), errors)
  if (discoveryURL !== '') {
    if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL))
      errors.invalid(path.child('discoveryURL'), discoveryURL, 'discoveryURL must be different from URL')
    validateUrl(discoveryURL, [], path.child('discoveryURL'), errors)
  }
  validateAudiences(issuer, path, errors)
  if (certificateAuthority !== '') {
    const problem = authoritiesProblem(certificateAuthority)
    if (problem !== undefined) errors.invalid(path.child('certificateAuthority'), '<omitted>', problem)
  }
  const gate = 'StructuredAuthenticationConfigurationEgressSelector'
  if (egressSelectorType !== '' && !errors.enabled(gate))
    errors.invalid(
      path.child('egressSelectorType'),
      egressSelectorType,
      `egress selector is not supported when ${gate} feature gate is disabled`
    )
  if (!['', 'controlplane', 'cluster'].includes(egressSelectorType))
    errors.invalid(path.child('egressSelectorType'), egressSelectorType, 'egress selector must be either controlplane or cluster')
}

function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}

function validateUrl(url: string, disallowed: readonly string[], path: Path, errors: FieldErrors): void {
  if (disallowed.includes(url))
    errors.invalid(
      path,
      url,
      `URL must not overlap with disallowed issuers: [${[...new Set(disallowed)].sort(compareUtf8).join(' ')}]`
    )
  try {
    const { scheme, user, rawQuery, fragment } = parseUrl(url)
    if (scheme !== 'https') errors.invalid(path, url, 'URL scheme must be https')
    if (user !== undefined) errors.invalid(path, url, 'URL must not contain a username or password')
    if (rawQuery !== '') errors.invalid(path, url, 'URL must not contain a query')
    if (fragment !== '') errors.invalid(path, url, 'URL must not contain a fragment')
  } catch (error) {
    if (!(error instanceof UrlError)) throw error
    errors.invalid(path, url, error.message)
  }
}

function validateAudiences({ audiences = [], audienceMatchPolicy = '' }: IssuerConfig, issuer: Path, errors: FieldErrors): void {
  const path = issuer.child('audiences')
  if (audiences.length === 0) return errors.required(path, `at least one ${path} is required`)
  const seen = new Set<string>()
  for (const [i, audience] of audiences.entries()) {
    if (audience === '') errors.required(path.index(i))
    if (seen.has(audience)) errors.duplicate(path.index(i), audience)
    seen.add(audience)
  }
  const policyPath = issuer.child('audienceMatchPolicy')
  if (audiences.length > 1 && audienceMatchPolicy !== 'MatchAny')
    errors.invalid(policyPath, audienceMatchPolicy, 'audienceMatchPolicy must be MatchAny for multiple audiences')
  if (audiences.length === 1 && audienceMatchPolicy !== '' && audienceMatchPolicy !== 'MatchAny')
    errors.invalid(policyPath, audienceMatchPolicy, 'audienceMatchPolicy must be empty or MatchAny for single audience')
}

/** Returns, in Go's words, why a PEM text is no bundle of authorities; undefined when it is one. */
function authoritiesProblem(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)
  if (!blocks) return 'data does not contain any valid RSA or ECDSA certificates'
  try {
    for (const block of blocks) void new X509Certificate(block)
    return undefined
  } catch {
    return 'x509: malformed certificate'
  }
}
