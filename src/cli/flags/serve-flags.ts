import { admissionPluginNames } from '../../admission/plugin-names.js'
import { controllerNamed, controllerNames, expectedControllers } from '../../controllers/controller-names.js'
import type { AuthorizationMode } from '../../options.js'
import { flag } from './flag.js'
import {
  always,
  bool,
  chosen,
  duration,
  host,
  InvalidValue,
  integer,
  ip,
  oneOf,
  portRange,
  positiveDuration,
  resolveService,
  runtimeConfig,
  serviceRange,
  string,
  stringArray,
  strings
} from './value-types.js'

/** The sections in the order of the help. */
export const serveSections = [
  'Storage',
  'Secure serving',
  'Authentication',
  'Authorization',
  'Admission',
  'API enablement',
  'Generic',
  'Logs',
  'Misc',
  'Global'
] as const

/** Unknown and repeated modes are refused with the other options of authorization. */
const authorizationMode = strings<AuthorizationMode>(text => text as AuthorizationMode)

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

const signingEndpoint: typeof string = {
  ...string,
  read(text, previous) {
    if (text.startsWith('@')) throw new InvalidValue('must be the path of a socket: abstract sockets are not supported')
    return string.read(text, previous)
  }
}

const hourMs = 3_600_000

/** 0 stands for no limit. */
const tokenExpiration: typeof duration = {
  ...duration,
  read(text, previous) {
    const milliseconds = duration.read(text, previous)
    if (milliseconds !== 0 && (milliseconds < hourMs || milliseconds > 2 ** 32 * 1000))
      throw new InvalidValue('must be between 1 hour and 2^32 seconds')
    return milliseconds
  }
}

const etcdServers = strings(text => {
  if (text === '') throw new InvalidValue('must not be empty')
  return text
})

const controllers = strings(text => {
  if (controllerNamed(text) === undefined) throw new InvalidValue(expectedControllers)
  return text
})

const requestCount = integer('int', 0, 1_000_000_000, 'a number from 0 on')

const admissionPlugins = strings(text => chosen(text, admissionPluginNames))

/**
 * The flags of `binnacle serve`. Names, types and, unless the description says otherwise, defaults are those of kube-apiserver.
 */
export const serveFlags = {
  'data-dir': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    defaultText: '".binnacle"',
    description:
      'Folder for the data, the certificates and an admin kubeconfig. With --storage-backend=memory nothing is written unless this flag is given, and then only certificates and kubeconfig.'
  }),
  'storage-backend': flag<'lmdb' | 'memory' | 'etcd3' | undefined>({
    section: 'Storage',
    type: oneOf(['lmdb', 'memory', 'etcd3'] as const),
    default: undefined,
    defaultText: '"lmdb", or "etcd3" with --etcd-servers',
    description:
      'Where objects are stored. "lmdb": in the data folder, safe against crashes. "memory": in memory only, lost when the server ends. "etcd3": in the etcd of --etcd-servers, which several servers may share.'
  }),
  'etcd-servers': flag({
    section: 'Storage',
    type: etcdServers,
    default: [],
    description: 'The etcd servers that store the objects (scheme://host:port), separated by commas.'
  }),
  'etcd-prefix': flag({
    section: 'Storage',
    type: string,
    default: '/registry',
    description: 'Prefix of all keys in etcd.'
  }),
  'etcd-cafile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Authorities that verify the certificates of the etcd servers.'
  }),
  'etcd-certfile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Client certificate for connections to etcd.'
  }),
  'etcd-keyfile': flag({ section: 'Storage', type: string, default: undefined, description: 'Private key of --etcd-certfile.' }),
  'etcd-compaction-interval': flag({
    section: 'Storage',
    type: duration,
    default: 300_000,
    defaultText: '5m0s',
    description:
      'Interval between compactions of the history in etcd, and thus how long history is kept. 0 disables compaction by this server.'
  }),
  'etcd-healthcheck-timeout': flag({
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    description: 'How long /healthz and /livez wait for etcd.'
  }),
  'etcd-readycheck-timeout': flag({
    section: 'Storage',
    type: duration,
    default: 2000,
    defaultText: '2s',
    description: 'How long /readyz waits for etcd.'
  }),

  'bind-address': flag({
    section: 'Secure serving',
    type: ip,
    default: '127.0.0.1',
    description: 'Address to listen on. 0.0.0.0 or :: means all addresses. (kube-apiserver listens on all by default.)'
  }),
  'secure-port': flag({
    section: 'Secure serving',
    type: integer('int', 0, 65535, 'a port number from 0 to 65535'),
    default: 6443,
    description: 'Port to listen on, for HTTPS only. 0 means any free port.'
  }),
  'cert-dir': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: '"pki" in the data folder',
    description:
      'Folder of the certificates that the server creates for itself. If it contains an authority (ca.crt, ca.key), the server uses that.'
  }),
  'tls-cert-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description:
      'Serving certificate, followed by its intermediates. By default the server creates one, signed by its own authority.'
  }),
  'tls-private-key-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description: 'Private key of --tls-cert-file.'
  }),

  'anonymous-auth': flag({
    section: 'Authentication',
    type: bool,
    default: true,
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
  }),

  'authorization-mode': flag<readonly AuthorizationMode[] | undefined>({
    section: 'Authorization',
    type: authorizationMode,
    default: undefined,
    defaultText: 'Node,RBAC',
    description:
      'Authorizers of requests, in order: any of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny. (kube-apiserver allows everything by default.)'
  }),
  'authorization-config': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description:
      'File with an AuthorizationConfiguration, which lists the authorizers, several webhooks among them. It takes the place of the modes and of the flags of their webhook. Its changes take effect without a restart.'
  }),
  'authorization-policy-file': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description: 'File with the policies of the mode ABAC: a JSON object a line.'
  }),
  'authorization-webhook-config-file': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description: 'Kubeconfig file that says where the webhook of the mode Webhook is.'
  }),
  'authorization-webhook-version': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    defaultText: '"v1beta1"',
    description: 'Version of the SubjectAccessReviews that the webhook is sent: v1 or v1beta1.'
  }),
  'authorization-webhook-cache-authorized-ttl': flag<number | undefined>({
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '5m0s',
    description: "How long the webhook's permissions are remembered. 0 means not at all."
  }),
  'authorization-webhook-cache-unauthorized-ttl': flag<number | undefined>({
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '30s',
    description: "How long the webhook's refusals are remembered. 0 means not at all."
  }),

  'enable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Admission plugins to run in addition to the default ones. The order does not matter.'
  }),
  'disable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Default admission plugins to disable.'
  }),

  'runtime-config': flag({
    section: 'API enablement',
    type: runtimeConfig,
    default: {},
    description:
      'Turns APIs on or off, for example api/alpha=true or resource.k8s.io/v1beta1=true. Keys: api/all, api/ga, api/beta, api/alpha, group/version, group/version/resource.'
  }),

  'resolve-service': flag({
    section: 'API enablement',
    type: resolveService,
    default: {},
    description:
      'Addresses of services that webhooks refer to, for use without a cluster: namespace/name=127.0.0.1:9443 or namespace/name:443=127.0.0.1:9443, separated by commas. (Only Binnacle has this flag.)'
  }),

  controllers: flag({
    section: 'Generic',
    type: controllers,
    default: ['*'],
    description: `The controllers that run inside the server: * means all except bootstrap-signer-controller and token-cleaner-controller, a name enables one, and - before a name disables it. (This is kube-controller-manager's flag.) The names: ${controllerNames.join(', ')}.`
  }),
  'advertise-address': flag<string | undefined>({
    section: 'Generic',
    type: ip,
    default: undefined,
    defaultText: '--bind-address',
    description: 'Address at which clients reach the server: discovery announces it, and the serving certificate contains it.'
  }),
  'external-hostname': flag({
    section: 'Generic',
    type: host,
    default: undefined,
    description: 'Host name by which external clients reach the server; the serving certificate contains it, too.'
  }),
  'max-requests-inflight': flag({
    section: 'Generic',
    type: requestCount,
    default: 400,
    description:
      'Maximum number of concurrent reads; further ones are answered with 429. Watches, connections and administrators (system:masters) are not counted. 0 means no limit.'
  }),
  'max-mutating-requests-inflight': flag({
    section: 'Generic',
    type: requestCount,
    default: 200,
    description: 'Maximum number of concurrent writes; see --max-requests-inflight.'
  }),
  'request-timeout': flag({
    section: 'Generic',
    type: positiveDuration,
    default: 60_000,
    defaultText: '1m0s',
    description: 'How long a request may take. Watches and connections may take longer.'
  }),
  'feature-gates': flag({
    section: 'Generic',
    type: stringArray(),
    default: [],
    description:
      "Turns features on or off: name=true or name=false, separated by commas. Takes all of Kubernetes' names; those without effect here are named in the log."
  }),
  'kubeconfig-out': flag({
    section: 'Generic',
    type: string,
    default: undefined,
    description: 'Also write the admin kubeconfig to this file. It contains a private key and is readable by its owner only.'
  }),

  v: flag({
    section: 'Logs',
    type: integer('Level', 0, 100, 'a whole number from 0 to 100'),
    default: 0,
    shorthand: 'v',
    description: 'Verbosity of the log.'
  }),

  'allow-privileged': flag({
    section: 'Misc',
    type: always,
    default: true,
    description: 'Allows privileged containers. Only true is supported. (The default of kube-apiserver is false.)'
  }),
  'service-account-signing-endpoint': flag({
    section: 'Misc',
    type: signingEndpoint,
    default: undefined,
    description:
      'Unix socket of a program that signs service account tokens and knows the keys that verify them, in place of key files: the gRPC service v1.ExternalJWTSigner.'
  }),
  'service-account-signing-key-file': flag({
    section: 'Misc',
    type: string,
    default: undefined,
    description: 'Private key, RSA or ECDSA, that signs service account tokens. By default the server creates one.'
  }),
  'service-cluster-ip-range': flag({
    section: 'Misc',
    type: serviceRange,
    default: '10.0.0.0/24',
    description: 'Range of the cluster addresses of Services: one CIDR, or two of different IP families.'
  }),
  'service-node-port-range': flag({
    section: 'Misc',
    type: portRange,
    default: '30000-32767',
    description: 'Range of the node ports of Services, both ends included.'
  }),

  help: flag({ section: 'Global', type: bool, default: false, shorthand: 'h', description: 'Shows this help.' }),
  version: flag({ section: 'Global', type: bool, default: false, description: 'Shows the version.' })
}
