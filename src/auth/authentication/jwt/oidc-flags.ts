/** Makes an AuthenticationConfiguration of the --oidc-* flags. */
import { readFile } from 'node:fs/promises'
import { fileError, UserError } from '../../../util/user-error.js'
import type { AuthenticationConfiguration } from './configuration.js'

/** The options of an OpenID issuer. Their names are those of kube-apiserver's flags; each comment ends with the default. */
export interface OidcOptions {
  /** The URL of an OpenID issuer whose tokens authenticate; needs `oidcClientID`. */
  readonly oidcIssuerURL?: string | undefined
  /** The audience that tokens of `oidcIssuerURL` must have. */
  readonly oidcClientID?: string | undefined
  /** A file with the authorities of the issuer's certificate; those of the machine. */
  readonly oidcCAFile?: string | undefined
  /** The claim with the name of the user; `sub`. */
  readonly oidcUsernameClaim?: string | undefined
  /** Stands before the names of users, `-` for nothing; the issuer's URL and `#`, but nothing before the claim `email`. */
  readonly oidcUsernamePrefix?: string | undefined
  /** The claim with the groups of the user; none. */
  readonly oidcGroupsClaim?: string | undefined
  /** Stands before the names of groups; nothing. */
  readonly oidcGroupsPrefix?: string | undefined
  /** Claims that tokens must have, with their values. */
  readonly oidcRequiredClaim?: Readonly<Record<string, string>> | undefined
  /** Algorithms that may sign tokens; `RS256`. */
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
