/** Makes an AuthenticationConfiguration of the --oidc-* flags. */
import { readFile } from 'node:fs/promises'
import { fileError, UserError } from '../../../util/user-error.js'
import type { AuthenticationConfiguration } from './configuration.js'

/** The options of an OpenID issuer: the server's table says what each of them does (server/options/authentication.ts). */
export interface OidcOptions {
  readonly oidcIssuerURL?: string | undefined
  readonly oidcClientID?: string | undefined
  readonly oidcCAFile?: string | undefined
  readonly oidcUsernameClaim?: string | undefined
  readonly oidcUsernamePrefix?: string | undefined
  readonly oidcGroupsClaim?: string | undefined
  readonly oidcGroupsPrefix?: string | undefined
  readonly oidcRequiredClaim?: Readonly<Record<string, string>> | undefined
  readonly oidcSigningAlgs?: readonly string[] | undefined
}

/** Returns undefined when no flag is given. Rejects with a UserError. */
export async function oidcConfiguration(options: OidcOptions): Promise<AuthenticationConfiguration | undefined> {
  const { oidcIssuerURL: url, oidcClientID: audience, oidcUsernameClaim = 'sub', oidcGroupsClaim } = options
  if (!isAnyGiven(options)) return undefined
  if (!url || !audience)
    throw new UserError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set')
  return {
    jwt: [
      {
        issuer: { url, audiences: [audience], certificateAuthority: await readAuthority(options.oidcCAFile) },
        claimMappings: {
          username: { claim: oidcUsernameClaim, prefix: usernamePrefix(options, url) },
          groups: oidcGroupsClaim ? { claim: oidcGroupsClaim, prefix: options.oidcGroupsPrefix ?? '' } : {},
          uid: {}
        },
        claimValidationRules: Object.entries(options.oidcRequiredClaim ?? {}).map(([claim, requiredValue]) => ({
          claim,
          requiredValue
        }))
      }
    ]
  }
}

const isAnyGiven = (options: OidcOptions) =>
  [
    options.oidcIssuerURL,
    options.oidcClientID,
    options.oidcCAFile,
    options.oidcUsernameClaim,
    options.oidcUsernamePrefix,
    options.oidcGroupsClaim,
    options.oidcGroupsPrefix,
    options.oidcRequiredClaim,
    options.oidcSigningAlgs
  ].some(value => value !== undefined)

/**
 * Returns the prefix of user names. Names from different issuers must differ; email addresses are unique without a prefix, and
 * `-` means none.
 */
function usernamePrefix({ oidcUsernamePrefix: prefix = '', oidcUsernameClaim }: OidcOptions, url: string): string {
  if (prefix === '-') return ''
  return prefix === '' && oidcUsernameClaim !== 'email' ? `${url}#` : prefix
}

async function readAuthority(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`open ${path}`, error)
  }
}
