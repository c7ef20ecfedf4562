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

const authorizationModes: readonly AuthorizationMode[] = ['Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny']

const laterModes: readonly string[] = ['ABAC', 'Webhook']

const authorizationMode = strings<AuthorizationMode>((text, before) => {
  if (laterModes.includes(text))
    throw new InvalidValue(`names ${text}, which is not supported yet: use any of ${authorizationModes.join(', ')}`)
  const mode = chosen(text, authorizationModes)
  if (before.includes(mode)) throw new InvalidValue(`names ${mode} twice`)
  return mode
})

const issuers = stringArray(text => {
  if (text === '') throw new InvalidValue('must not be empty')
  if (text.includes(':') && !URL.canParse(text)) throw new InvalidValue('contains a colon and must therefore be a URL')
})

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
      'Folder for everything that is kept: the data, the certificates and an admin kubeconfig. With --storage-backend=memory nothing is written unless this is given, and then only certificates and kubeconfig.'
  }),
  'storage-backend': flag<'lmdb' | 'memory' | 'etcd3' | undefined>({
    section: 'Storage',
    type: oneOf(['lmdb', 'memory', 'etcd3'] as const),
    default: undefined,
    defaultText: '"lmdb", or "etcd3" with --etcd-servers',
    description:
      'Where objects are kept. "lmdb": in the data folder, safe against crashes. "memory": nowhere, they are gone at the end. "etcd3": in the etcd of --etcd-servers, which several servers may share.'
  }),
  'etcd-servers': flag({
    section: 'Storage',
    type: etcdServers,
    default: [],
    description: 'The etcd servers to keep objects in (scheme://host:port), separated by commas.'
  }),
  'etcd-prefix': flag({
    section: 'Storage',
    type: string,
    default: '/registry',
    description: 'Folder of all keys in etcd.'
  }),
  'etcd-cafile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Authorities that the certificates of etcd are checked against.'
  }),
  'etcd-certfile': flag({
    section: 'Storage',
    type: string,
    default: undefined,
    description: 'Client certificate to show to etcd.'
  }),
  'etcd-keyfile': flag({ section: 'Storage', type: string, default: undefined, description: 'Private key of --etcd-certfile.' }),
  'etcd-compaction-interval': flag({
    section: 'Storage',
    type: duration,
    default: 300_000,
    defaultText: '5m0s',
    description: 'How often the history in etcd is compacted, and so how long it is kept. 0 leaves it to others.'
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
    description: 'Address to listen on. 0.0.0.0 or :: stand for all. (kube-apiserver listens on all by default.)'
  }),
  'secure-port': flag({
    section: 'Secure serving',
    type: integer('int', 0, 65535, 'a port number from 0 to 65535'),
    default: 6443,
    description: 'Port to listen on, for HTTPS only. 0 takes any free one.'
  }),
  'cert-dir': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: '"pki" in the data folder',
    description:
      'Folder of the certificates that the server makes for itself. An authority (ca.crt, ca.key) that is put there is used.'
  }),
  'tls-cert-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description:
      'Serving certificate, followed by its intermediates. Without it the server makes one, signed by its own authority.'
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
      'Lets requests without credentials in, as user system:anonymous in group system:unauthenticated. Off where the authorization mode is AlwaysAllow.'
  }),
  'enable-bootstrap-token-auth': flag({
    section: 'Authentication',
    type: bool,
    default: false,
    description:
      'Lets bootstrap tokens in: Secrets in kube-system of type bootstrap.kubernetes.io/token, which say until when and for which groups they are good.'
  }),
  'client-ca-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description:
      "Authorities whose client certificates are believed, beside the server's own: the common name is the user, the organizations are the groups."
  }),
  'service-account-issuer': flag({
    section: 'Authentication',
    type: issuers,
    default: ['https://kubernetes.default.svc'],
    description:
      'Issuer of service account tokens. Given more than once, the first issues and all are believed. (kube-apiserver has no default.)'
  }),
  'service-account-key-file': flag({
    section: 'Authentication',
    type: stringArray(),
    default: [],
    description:
      'File of RSA or ECDSA keys, public or private, that verify service account tokens beside the signing key. May be given more than once.'
  }),
  'token-auth-file': flag({
    section: 'Authentication',
    type: string,
    default: undefined,
    description: 'CSV file of static bearer tokens: token,user,uid,"group1,group2".'
  }),

  'authorization-mode': flag({
    section: 'Authorization',
    type: authorizationMode,
    default: ['Node', 'RBAC'],
    description:
      'Who decides what a user may do, asked in this order: any of Node, RBAC, AlwaysAllow, AlwaysDeny. (kube-apiserver allows everything by default.)'
  }),

  'enable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Admission plugins to run beside those that run anyway. Their order here does not matter.'
  }),
  'disable-admission-plugins': flag({
    section: 'Admission',
    type: admissionPlugins,
    default: [],
    description: 'Admission plugins not to run although they would.'
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
      'Where services are that webhooks name, when there is no cluster around: namespace/name=127.0.0.1:9443 or namespace/name:443=127.0.0.1:9443, separated by commas. (Only Binnacle has this flag.)'
  }),

  controllers: flag({
    section: 'Generic',
    type: controllers,
    default: ['*'],
    description: `The controllers that run inside the server: * stands for all but bootstrap-signer-controller and token-cleaner-controller, a name for one, and a name after - is switched off. (This is kube-controller-manager's flag.) The names: ${controllerNames.join(', ')}.`
  }),
  'advertise-address': flag<string | undefined>({
    section: 'Generic',
    type: ip,
    default: undefined,
    defaultText: '--bind-address',
    description: 'Address at which others reach the server: discovery tells it to clients, and the serving certificate names it.'
  }),
  'external-hostname': flag({
    section: 'Generic',
    type: host,
    default: undefined,
    description: 'Name under which clients reach the server from outside; the serving certificate names it too.'
  }),
  'max-requests-inflight': flag({
    section: 'Generic',
    type: requestCount,
    default: 400,
    description:
      'How many reads may be under way at once; more are answered with 429. Watches, connections and administrators (system:masters) are not counted. 0 for no limit.'
  }),
  'max-mutating-requests-inflight': flag({
    section: 'Generic',
    type: requestCount,
    default: 200,
    description: 'How many writes may be under way at once; see --max-requests-inflight.'
  }),
  'request-timeout': flag({
    section: 'Generic',
    type: positiveDuration,
    default: 60_000,
    defaultText: '1m0s',
    description: 'How long a request may take. Watches and connections may take longer.'
  }),
  'kubeconfig-out': flag({
    section: 'Generic',
    type: string,
    default: undefined,
    description: 'Write the admin kubeconfig to this file too. It holds a private key and is readable for its owner only.'
  }),

  v: flag({
    section: 'Logs',
    type: integer('Level', 0, 100, 'a whole number from 0 to 100'),
    default: 0,
    shorthand: 'v',
    description: 'How much is logged.'
  }),

  'allow-privileged': flag({
    section: 'Misc',
    type: always,
    default: true,
    description: 'Lets containers be privileged. Only true is supported. (kube-apiserver allows none by default.)'
  }),
  'service-account-signing-key-file': flag({
    section: 'Misc',
    type: string,
    default: undefined,
    description: 'Private key, RSA or ECDSA, that signs service account tokens. Without it the server makes one.'
  }),
  'service-cluster-ip-range': flag({
    section: 'Misc',
    type: serviceRange,
    default: '10.0.0.0/24',
    description: 'Range that Services get their cluster addresses from: one CIDR, or two of different IP families.'
  }),
  'service-node-port-range': flag({
    section: 'Misc',
    type: portRange,
    default: '30000-32767',
    description: 'Range of ports that Services of type NodePort get theirs from, both ends included.'
  }),

  help: flag({ section: 'Global', type: bool, default: false, shorthand: 'h', description: 'Shows this help.' }),
  version: flag({ section: 'Global', type: bool, default: false, description: 'Shows the version.' })
}
