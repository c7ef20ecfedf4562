import { option } from './option.js'
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
export const authenticationOptions = {
  authenticationConfig: option({
    flag: 'authentication-config',
    isPath: true,
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'File with an AuthenticationConfiguration: issuers of JSON Web Tokens, and anonymous requests. Changes take effect without a restart. It excludes the flags of OpenID issuers, and that of anonymous requests if the file configures these.'
  }),
  anonymousAuth: option({
    flag: 'anonymous-auth',
    section: 'Authentication',
    type: bool,
    default: undefined,
    defaultText: 'true',
    help: 'Accepts requests without credentials, as user system:anonymous in group system:unauthenticated. Off when the authorization mode is AlwaysAllow.'
  }),
  enableBootstrapTokenAuth: option({
    flag: 'enable-bootstrap-token-auth',
    section: 'Authentication',
    type: bool,
    default: false,
    help: 'Accepts bootstrap tokens: Secrets in kube-system of type bootstrap.kubernetes.io/token, which contain the expiration and the groups of the token.'
  }),
  clientCAFile: option({
    flag: 'client-ca-file',
    isPath: 'as given',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: "Authorities whose client certificates are accepted, in addition to the server's own: the common name is the user, the organizations are the groups."
  }),
  oidcIssuerURL: option({
    flag: 'oidc-issuer-url',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'URL of an OpenID issuer, https only. Its JSON Web Tokens authenticate.'
  }),
  oidcClientID: option({
    flag: 'oidc-client-id',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'Audience that the tokens of the OpenID issuer must have.'
  }),
  oidcCAFile: option({
    flag: 'oidc-ca-file',
    isPath: 'as given',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: "Authorities that verify the issuer's certificate; by default those of the machine."
  }),
  oidcUsernameClaim: option({
    flag: 'oidc-username-claim',
    section: 'Authentication',
    type: string,
    default: undefined,
    defaultText: '"sub"',
    help: 'Claim that contains the name of the user.'
  }),
  oidcUsernamePrefix: option({
    flag: 'oidc-username-prefix',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: "Prefix of all user names, to keep them apart from others. By default the issuer's URL and #, but nothing with the claim email. - means nothing."
  }),
  oidcGroupsClaim: option({
    flag: 'oidc-groups-claim',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'Claim that contains the groups of the user: a text or a list of texts.'
  }),
  oidcGroupsPrefix: option({
    flag: 'oidc-groups-prefix',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'Prefix of all groups.'
  }),
  oidcRequiredClaim: option({
    flag: 'oidc-required-claim',
    section: 'Authentication',
    type: keyValue,
    default: undefined,
    help: 'Claim that tokens must have, with its value: key=value. May be given more than once.'
  }),
  oidcSigningAlgs: option({
    flag: 'oidc-signing-algs',
    section: 'Authentication',
    type: algorithms,
    default: undefined,
    defaultText: 'RS256',
    help: 'Algorithms that may sign tokens: any of RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.'
  }),
  apiAudiences: option({
    flag: 'api-audiences',
    section: 'Authentication',
    type: apiAudiences,
    default: [],
    defaultText: '--service-account-issuer',
    help: 'Audiences by which the server is known. Tokens must be for at least one of them.'
  }),
  authenticationTokenWebhookConfigFile: option({
    flag: 'authentication-token-webhook-config-file',
    isPath: 'as given',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'File in kubeconfig format that names the webhook to ask for the users of bearer tokens.'
  }),
  authenticationTokenWebhookVersion: option({
    flag: 'authentication-token-webhook-version',
    section: 'Authentication',
    type: oneOf(['v1', 'v1beta1'] as const),
    default: 'v1beta1',
    help: 'Version of the TokenReview that the webhook gets and sends.'
  }),
  authenticationTokenWebhookCacheTTL: option({
    flag: 'authentication-token-webhook-cache-ttl',
    section: 'Authentication',
    type: duration,
    default: 120_000,
    defaultText: '2m0s',
    help: 'How long the answers of the webhook are remembered.'
  }),
  requestheaderClientCAFile: option({
    flag: 'requestheader-client-ca-file',
    isPath: 'as given',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: "Authorities of an authenticating proxy's client certificate. Requests with such a certificate name their user in the headers of --requestheader-username-headers."
  }),
  requestheaderAllowedNames: option({
    flag: 'requestheader-allowed-names',
    section: 'Authentication',
    type: headerNames,
    default: [],
    help: "Common names that the authenticating proxy's certificate may have. Empty allows any."
  }),
  requestheaderUsernameHeaders: option({
    flag: 'requestheader-username-headers',
    section: 'Authentication',
    type: headerNames,
    default: [],
    help: 'Headers with the user name, the first with a value counts: X-Remote-User is usual.'
  }),
  requestheaderUidHeaders: option({
    flag: 'requestheader-uid-headers',
    section: 'Authentication',
    type: headerNames,
    default: [],
    help: "Headers with the user's UID, the first with a value counts: X-Remote-Uid is usual."
  }),
  requestheaderGroupHeaders: option({
    flag: 'requestheader-group-headers',
    section: 'Authentication',
    type: headerNames,
    default: [],
    help: "Headers with the user's groups: X-Remote-Group is usual."
  }),
  requestheaderExtraHeadersPrefix: option({
    flag: 'requestheader-extra-headers-prefix',
    section: 'Authentication',
    type: headerNames,
    default: [],
    help: 'Prefixes of headers with extra values: X-Remote-Extra- is usual.'
  }),
  serviceAccountExtendTokenExpiration: option({
    flag: 'service-account-extend-token-expiration',
    section: 'Authentication',
    type: bool,
    default: true,
    help: 'Makes the tokens that kubelets request for Pods valid for a year, and notes their use after the requested time in the audit log.'
  }),
  serviceAccountJwksUri: option({
    flag: 'service-account-jwks-uri',
    section: 'Authentication',
    type: httpsUrl,
    default: undefined,
    help: "URL of the keys in the discovery document of the service account issuer, if not this server's."
  }),
  serviceAccountLookup: option({
    flag: 'service-account-lookup',
    section: 'Authentication',
    type: bool,
    default: true,
    help: 'Accepts tokens in Secrets only as long as their Secret and their service account exist.'
  }),
  serviceAccountMaxTokenExpiration: option({
    flag: 'service-account-max-token-expiration',
    section: 'Authentication',
    type: tokenExpiration,
    default: 0,
    defaultText: 'no limit',
    help: 'The longest time for which service account tokens are issued; longer requests are shortened.'
  }),
  serviceAccountIssuer: option({
    flag: 'service-account-issuer',
    section: 'Authentication',
    type: issuers,
    default: ['https://kubernetes.default.svc'],
    help: 'Issuer of service account tokens. If given more than once, new tokens name the first, and tokens of all are accepted. (kube-apiserver has no default.)'
  }),
  serviceAccountKeyFiles: option({
    flag: 'service-account-key-file',
    isPath: 'as given',
    section: 'Authentication',
    type: stringArray(),
    default: [],
    help: 'File of RSA or ECDSA keys, public or private, that verify service account tokens, in addition to the signing key. May be given more than once.'
  }),
  tokenAuthFile: option({
    flag: 'token-auth-file',
    isPath: 'as given',
    section: 'Authentication',
    type: string,
    default: undefined,
    help: 'CSV file of static bearer tokens: token,user,uid,"group1,group2".'
  })
}
