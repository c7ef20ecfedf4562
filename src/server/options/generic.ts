import { controllerNamed, controllerNames, expectedControllers } from '../../controllers/controller-names.js'
import { docsPage } from '../../util/docs-page.js'
import { kubernetesMinor, oldestEmulatedMinor } from '../../util/kubernetes-version.js'
import { valueTypes } from '../../util/members.js'
import { isInRange, ranges } from './number-ranges.js'
import { option } from './option.js'
import {
  bool,
  duration,
  host,
  InvalidValue,
  integer,
  ip,
  numberIn,
  oneOf,
  portRange,
  positiveDuration,
  serviceRange,
  string,
  stringArray,
  strings,
  type ValueType
} from './value-types.js'

const signingEndpoint: typeof string = {
  ...string,
  read(text, previous) {
    if (text.startsWith('@')) throw new InvalidValue('must be the path of a socket: abstract sockets are not supported')
    return string.read(text, previous)
  }
}

const controllers = strings(text => {
  if (controllerNamed(text) === undefined) throw new InvalidValue(expectedControllers)
  return text
})

const requestCount = integer('int', ranges.count)

const transportSecurity = strings(text => {
  if (!/^(?:max-age=\d{1,12}|includeSubDomains|preload)$/.test(text))
    throw new InvalidValue('must be of max-age=SECONDS, includeSubDomains and preload')
  return text
})

const goawayChance: ValueType<number> = {
  label: 'float',
  value: numberIn(ranges.goawayChance),
  read(text) {
    const value = Number(text)
    if (!/^\d{0,3}(?:\.\d{1,9})?$/.test(text) || text === '' || !isInRange(value, ranges.goawayChance))
      throw new InvalidValue(`must be ${ranges.goawayChance.what}`)
    return value
  }
}

/** The flags about addresses, limits, logs, and everything that has no file of its own. */
export const genericOptions = {
  controllers: option({
    flag: 'controllers',
    section: 'Generic',
    type: controllers,
    default: ['*'],
    help: `The controllers that run inside the server: * means all except bootstrap-signer-controller, service-cidr-controller and token-cleaner-controller, a name enables one, and - before a name disables it. (This is kube-controller-manager's flag.) The names: ${controllerNames.join(', ')}.`
  }),
  testApi: option({
    flag: 'test-api',
    section: 'Generic',
    type: bool,
    default: false,
    help: `Serve the test kit below /testing/v1/ to administrators: servers in this one, snapshots, the clock (${docsPage('testing')}). For tests only, and not with etcd.`
  }),
  advertiseAddress: option({
    flag: 'advertise-address',
    section: 'Generic',
    type: ip,
    default: undefined,
    defaultText: '--bind-address',
    help: 'Address at which clients reach the server: discovery announces it, and the serving certificate contains it.'
  }),
  externalHostname: option({
    flag: 'external-hostname',
    section: 'Generic',
    type: host,
    default: undefined,
    help: 'Host name by which external clients reach the server; the serving certificate contains it, too.'
  }),
  maxRequestsInflight: option({
    flag: 'max-requests-inflight',
    section: 'Generic',
    type: requestCount,
    default: 400,
    help: 'With priority and fairness, the seats of all priority levels: this number and that for writes together. Without, the maximum number of concurrent reads; further ones are answered with 429, except those of administrators (system:masters). Watches and connections are not counted. 0 means no limit.'
  }),
  maxMutatingRequestsInflight: option({
    flag: 'max-mutating-requests-inflight',
    section: 'Generic',
    type: requestCount,
    default: 200,
    help: 'Maximum number of concurrent writes; see --max-requests-inflight.'
  }),
  enablePriorityAndFairness: option({
    flag: 'enable-priority-and-fairness',
    section: 'Features',
    type: bool,
    default: undefined,
    defaultText: 'true, unless --api-groups leaves flowcontrol.apiserver.k8s.io out',
    help: 'Lets requests wait for seats of their priority level, fairly among users, as FlowSchemas and PriorityLevelConfigurations say. Without, too many requests at once are refused.'
  }),
  corsAllowedOrigins: option({
    flag: 'cors-allowed-origins',
    section: 'Generic',
    type: strings(text => text),
    default: [],
    help: 'Regular expressions for the origins whose web pages may use the server, separated by commas: ^https://example\\.com(:|$). Each must say where the host begins and ends.'
  }),
  goawayChance: option({
    flag: 'goaway-chance',
    section: 'Generic',
    type: goawayChance,
    default: 0,
    help: 'How likely a request over HTTP/2 makes its client connect anew, from 0 to 0.02, so that connections spread over several servers. With a single server, leave it at 0.'
  }),
  shutdownDelayDuration: option({
    flag: 'shutdown-delay-duration',
    section: 'Generic',
    type: duration,
    default: 0,
    help: 'How long the server goes on serving when it is told to stop, while /readyz fails already.'
  }),
  shutdownSendRetryAfter: option({
    flag: 'shutdown-send-retry-after',
    section: 'Generic',
    type: bool,
    default: false,
    help: 'Whether new requests are answered with 429 and Retry-After while the server stops, after --shutdown-delay-duration, until those under way have ended.'
  }),
  shutdownWatchTerminationGracePeriod: option({
    flag: 'shutdown-watch-termination-grace-period',
    section: 'Generic',
    type: duration,
    default: 0,
    help: 'Time in which watches end one by one when the server stops, so that their clients do not all come back at once. 0 ends them all at once.'
  }),
  livezGracePeriod: option({
    flag: 'livez-grace-period',
    section: 'Generic',
    type: duration,
    default: 0,
    help: 'Time after the start in which /livez does not fail for what the server has not done yet.'
  }),
  minRequestTimeout: option({
    flag: 'min-request-timeout',
    section: 'Generic',
    // the flag has seconds, the library milliseconds as everywhere
    type: { ...integer('int', ranges.seconds), value: numberIn(ranges.someMilliseconds) },
    default: 1800,
    help: 'How long a watch without timeoutSeconds lasts, or up to twice as long: seconds for the flag, milliseconds for programs.',
    libraryDefault: '1800000'
  }),
  strictTransportSecurityDirectives: option({
    flag: 'strict-transport-security-directives',
    section: 'Generic',
    type: transportSecurity,
    default: [],
    help: 'Directives of the header Strict-Transport-Security, separated by commas: max-age=31536000, includeSubDomains, preload. Empty sends no such header.'
  }),
  requestTimeout: option({
    flag: 'request-timeout',
    section: 'Generic',
    type: positiveDuration,
    default: 60_000,
    defaultText: '1m0s',
    help: 'How long a request may take. Watches and connections may take longer.'
  }),
  featureGates: option({
    flag: 'feature-gates',
    section: 'Generic',
    type: { ...stringArray(), value: valueTypes.switches },
    default: [],
    help: "Turns features on or off: name=true or name=false, separated by commas. Takes all of Kubernetes' names; those without effect here are named in the log."
  }),
  emulatedVersion: option({
    flag: 'emulated-version',
    section: 'Generic',
    type: strings(text => text),
    default: [],
    defaultText: `1.${kubernetesMinor}`,
    help: `The release to behave as, from 1.${oldestEmulatedMinor} to 1.${kubernetesMinor}: its kinds, versions and feature gates.`
  }),
  minCompatibilityVersion: option({
    flag: 'min-compatibility-version',
    section: 'Generic',
    type: strings(text => text),
    default: [],
    defaultText: '1.35',
    help: 'The oldest release that other servers on the same etcd have. Feature gates that need all servers to know them count from then on.'
  }),
  emulationForwardCompatible: option({
    flag: 'emulation-forward-compatible',
    section: 'Generic',
    type: bool,
    default: false,
    help: 'With --emulated-version, also serves versions that the emulated release lacks where it has a less stable one of the same resource.'
  }),
  runtimeConfigEmulationForwardCompatible: option({
    flag: 'runtime-config-emulation-forward-compatible',
    section: 'Generic',
    type: bool,
    default: false,
    help: 'With --emulated-version, also serves versions that the emulated release lacks if --runtime-config names them.'
  }),
  allowPrivileged: option({
    flag: 'allow-privileged',
    section: 'Misc',
    type: bool,
    default: true,
    help: "Allows privileged containers, and HostProcess containers of Windows. (kube-apiserver's default is false.)"
  }),
  enableGarbageCollector: option({
    flag: 'enable-garbage-collector',
    section: 'Storage',
    type: bool,
    default: true,
    help: 'Deletes objects whose owners are gone. Without it, deletions leave dependents and their finalizers alone.'
  }),
  endpointReconcilerType: option({
    flag: 'endpoint-reconciler-type',
    section: 'Misc',
    type: oneOf(['lease', 'master-count', 'none'] as const),
    default: 'lease',
    help: 'How the Endpoints of the Service kubernetes are kept at the addresses of the servers: by a lease of each server in etcd ("lease"), by their number ("master-count", deprecated), or not at all ("none").'
  }),
  kubernetesServiceNodePort: option({
    flag: 'kubernetes-service-node-port',
    section: 'Misc',
    type: integer('int', ranges.port),
    default: 0,
    help: 'Makes the Service kubernetes a NodePort Service with this port when it is created. 0 makes it a ClusterIP Service.'
  }),
  peerCAFile: option({
    flag: 'peer-ca-file',
    isPath: true,
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'Authorities of the serving certificates of other API servers over the same etcd. With it, requests for resources that only those serve are passed on to them, and discovery shows what all of them serve. Needs --proxy-client-cert-file.'
  }),
  peerAdvertiseIP: option({
    flag: 'peer-advertise-ip',
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'With --peer-advertise-port, the IP address by which other API servers over the same etcd reach this one, for requests that they cannot serve themselves.'
  }),
  peerAdvertisePort: option({
    flag: 'peer-advertise-port',
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'With --peer-advertise-ip, the port by which other API servers over the same etcd reach this one.'
  }),
  coordinatedLeadershipLeaseDuration: option({
    flag: 'coordinated-leadership-lease-duration',
    section: 'Misc',
    type: duration,
    default: 15_000,
    defaultText: '15s',
    help: 'How long the server that elects leaders from LeaseCandidates (feature gate CoordinatedLeaderElection) holds its own Lease.'
  }),
  coordinatedLeadershipRenewDeadline: option({
    flag: 'coordinated-leadership-renew-deadline',
    section: 'Misc',
    type: duration,
    default: 10_000,
    defaultText: '10s',
    help: 'After how long that server stops electing when it cannot renew its Lease.'
  }),
  coordinatedLeadershipRetryPeriod: option({
    flag: 'coordinated-leadership-retry-period',
    section: 'Misc',
    type: duration,
    default: 2000,
    defaultText: '2s',
    help: 'How long servers wait between two attempts to acquire or renew that Lease.'
  }),
  eventTtl: option({
    flag: 'event-ttl',
    section: 'Misc',
    type: positiveDuration,
    default: 3_600_000,
    defaultText: '1h0m0s',
    help: 'How long Events are kept after they were last written.'
  }),
  serviceAccountSigningEndpoint: option({
    flag: 'service-account-signing-endpoint',
    isPath: true,
    section: 'Misc',
    type: signingEndpoint,
    default: undefined,
    help: 'Unix socket of a program that signs service account tokens and knows the keys that verify them, in place of key files: the gRPC service v1.ExternalJWTSigner.'
  }),
  serviceAccountSigningKeyFile: option({
    flag: 'service-account-signing-key-file',
    isPath: 'as given',
    section: 'Misc',
    type: string,
    default: undefined,
    help: 'Private key, RSA or ECDSA, that signs service account tokens. By default the server creates one.'
  }),
  serviceClusterIPRange: option({
    flag: 'service-cluster-ip-range',
    section: 'Misc',
    type: serviceRange,
    default: undefined,
    defaultText: '10.0.0.0/24, or that of --snapshot',
    help: 'Range of the cluster addresses of Services: one CIDR, or two of different IP families.'
  }),
  serviceNodePortRange: option({
    flag: 'service-node-port-range',
    section: 'Misc',
    type: portRange,
    default: '30000-32767',
    help: 'Range of the node ports of Services, both ends included.'
  }),
  apiserverCount: option({
    flag: 'apiserver-count',
    section: 'Misc',
    type: integer('int', ranges.servers),
    default: undefined,
    isHidden: true,
    help: 'Number of servers, for --endpoint-reconciler-type=master-count.'
  })
}
