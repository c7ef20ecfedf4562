import { flag } from './flag.js'
import { bool, duration, InvalidValue, keyValue, oneOf, string, stringArray, strings } from './value-types.js'

const issuers = stringArray(text => {
  if (text === '') throw new InvalidValue('must not be empty')
  if (text.includes(':') && !URL.canParse(text)) throw new InvalidValue('contains a colon and must therefore be a URL')
})

const apiAudiences = strings(text => text)

const headerNames = strings(text => {
  if (text.trim() === '') throw new InvalidValue('must not be empty')
  return text
})

const httpsUrl: typeof string = {
  ...string,
  read(text, previous) {
    if (!URL.canParse(text) || !text.startsWith('https://')) throw new InvalidValue('must be a URL with the scheme https')
    return string.read(text, previous)
  }
}

const hourMs = 3_600_000

/** A limit of a token's lifetime; 0 stands for no limit. */
const tokenExpiration: typeof duration = {
  ...duration,
  read(text, previous) {
    const milliseconds = duration.read(text, previous)
    if (milliseconds !== 0 && (milliseconds < hourMs || milliseconds > 2 ** 32 * 1000))
      throw new InvalidValue('must be between 1 hour and 2^32 seconds')
    return milliseconds
  }
}

const algorithms = strings(text => text)

/** The flags about authentication. */
export const authenticationFlags = {
  'authentication-config': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description:
      'File with an AuthenticationConfiguration: issuers of JSON Web Tokens, and anonymous requests. Changes take effect without a restart. It excludes the flags of OpenID issuers, and that of anonymous requests if the file configures these.'
  }),
  'anonymous-auth': flag<boolean | undefined>({
    section: 'Authentication',
    type: bool,
    default: undefined,
    defaultText: 'true',
    description:
      'Accepts requests without credentials, as user system:anonymous in group system:unauthenticated. Off when the authorization mode is AlwaysAllow.'
  }),
  'enable-bootstrap-token-auth': flag({
    section: 'Authentication',
    type: bool,
    default: false,
    description:
      'Accepts bootstrap tokens: Secrets in kube-system of type bootstrap.kubernetes.io/token, which contain the expiration and the groups of the token.'
  }),
  'client-ca-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description:
      "Authorities whose client certificates are accepted, in addition to the server's own: the common name is the user, the organizations are the groups."
  }),
  'oidc-issuer-url': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'URL of an OpenID issuer, https only. Its JSON Web Tokens authenticate.'
  }),
  'oidc-client-id': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'Audience that the tokens of the OpenID issuer must have.'
  }),
  'oidc-ca-file': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: "Authorities that verify the issuer's certificate; by default those of the machine."
  }),
  'oidc-username-claim': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    defaultText: '"sub"',
    description: 'Claim that contains the name of the user.'
  }),
  'oidc-username-prefix': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description:
      "Prefix of all user names, to keep them apart from others. By default the issuer's URL and #, but nothing with the claim email. - means nothing."
  }),
  'oidc-groups-claim': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'Claim that contains the groups of the user: a text or a list of texts.'
  }),
  'oidc-groups-prefix': flag<string | undefined>({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'Prefix of all groups.'
  }),
  'oidc-required-claim': flag<undefined | Readonly<Record<string, string>>>({
    section: 'Authentication',
    type: keyValue,
    default: undefined,
    description: 'Claim that tokens must have, with its value: key=value. May be given more than once.'
  }),
  'oidc-signing-algs': flag<readonly string[] | undefined>({
    section: 'Authentication',
    type: algorithms,
    default: undefined,
    defaultText: 'RS256',
    description: 'Algorithms that may sign tokens: any of RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.'
  }),
  'api-audiences': flag({
    section: 'Authentication',
    type: apiAudiences,
    default: [],
    defaultText: '--service-account-issuer',
    description: 'Audiences by which the server is known. Tokens must be for at least one of them.'
  }),
  'authentication-token-webhook-config-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'File in kubeconfig format that names the webhook to ask for the users of bearer tokens.'
  }),
  'authentication-token-webhook-version': flag({
    section: 'Authentication',
    type: oneOf(['v1', 'v1beta1'] as const),
    default: 'v1beta1',
    description: 'Version of the TokenReview that the webhook gets and sends.'
  }),
  'authentication-token-webhook-cache-ttl': flag({
    section: 'Authentication',
    type: duration,
    default: 120_000,
    defaultText: '2m0s',
    description: 'How long the answers of the webhook are remembered.'
  }),
  'requestheader-client-ca-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description:
      "Authorities of an authenticating proxy's client certificate. Requests with such a certificate name their user in the headers of --requestheader-username-headers."
  }),
  'requestheader-allowed-names': flag({
    section: 'Authentication',
    type: headerNames,
    default: [],
    description: "Common names that the authenticating proxy's certificate may have. Empty allows any."
  }),
  'requestheader-username-headers': flag({
    section: 'Authentication',
    type: headerNames,
    default: [],
    description: 'Headers with the user name, the first with a value counts: X-Remote-User is usual.'
  }),
  'requestheader-uid-headers': flag({
    section: 'Authentication',
    type: headerNames,
    default: [],
    description: "Headers with the user's UID, the first with a value counts: X-Remote-Uid is usual."
  }),
  'requestheader-group-headers': flag({
    section: 'Authentication',
    type: headerNames,
    default: [],
    description: "Headers with the user's groups: X-Remote-Group is usual."
  }),
  'requestheader-extra-headers-prefix': flag({
    section: 'Authentication',
    type: headerNames,
    default: [],
    description: 'Prefixes of headers with extra values: X-Remote-Extra- is usual.'
  }),
  'service-account-extend-token-expiration': flag({
    section: 'Authentication',
    type: bool,
    default: true,
    description:
      'Makes the tokens that kubelets request for Pods valid for a year, and notes their use after the requested time in the audit log.'
  }),
  'service-account-jwks-uri': flag({
    section: 'Authentication',
    type: httpsUrl,
    default: undefined,
    description: "URL of the keys in the discovery document of the service account issuer, if not this server's."
  }),
  'service-account-lookup': flag({
    section: 'Authentication',
    type: bool,
    default: true,
    description: 'Accepts tokens in Secrets only as long as their Secret and their service account exist.'
  }),
  'service-account-max-token-expiration': flag({
    section: 'Authentication',
    type: tokenExpiration,
    default: 0,
    defaultText: 'no limit',
    description: 'The longest time for which service account tokens are issued; longer requests are shortened.'
  }),
  'service-account-issuer': flag({
    section: 'Authentication',
    type: issuers,
    default: ['https://kubernetes.default.svc'],
    description:
      'Issuer of service account tokens. If given more than once, new tokens name the first, and tokens of all are accepted. (kube-apiserver has no default.)'
  }),
  'service-account-key-file': flag({
    section: 'Authentication',
    type: stringArray(),
    default: [],
    description:
      'File of RSA or ECDSA keys, public or private, that verify service account tokens, in addition to the signing key. May be given more than once.'
  }),
  'token-auth-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'CSV file of static bearer tokens: token,user,uid,"group1,group2".'
  })
}
