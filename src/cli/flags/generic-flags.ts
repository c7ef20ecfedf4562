import { controllerNamed, controllerNames, expectedControllers } from '../../controllers/controller-names.js'
import { isInRange, ranges } from '../../server/number-ranges.js'
import { auto } from '../../server/workers/settings.js'
import { flag } from './flag.js'
import {
  bool,
  duration,
  host,
  InvalidValue,
  integer,
  ip,
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

const someWorkers = integer('int|auto', { from: 1, to: 64, isWhole: true, what: 'a number from 1 to 64, or auto' })

const workers: ValueType<number> = {
  ...someWorkers,
  read: (text, previous) => (text === 'auto' ? auto : someWorkers.read(text, previous))
}

const requestCount = integer('int', ranges.count)

const transportSecurity = strings(text => {
  if (!/^(?:max-age=\d{1,12}|includeSubDomains|preload)$/.test(text))
    throw new InvalidValue('must be of max-age=SECONDS, includeSubDomains and preload')
  return text
})

const goawayChance: ValueType<number> = {
  label: 'float',
  read(text) {
    const value = Number(text)
    if (!/^\d{0,3}(?:\.\d{1,9})?$/.test(text) || text === '' || !isInRange(value, ranges.goawayChance))
      throw new InvalidValue(`must be ${ranges.goawayChance.what}`)
    return value
  }
}

/** The flags about addresses, limits, logs, and everything that has no file of its own. */
export const genericFlags = {
  controllers: flag({
    section: 'Generic',
    type: controllers,
    default: ['*'],
    description: `The controllers that run inside the server: * means all except bootstrap-signer-controller, service-cidr-controller and token-cleaner-controller, a name enables one, and - before a name disables it. (This is kube-controller-manager's flag.) The names: ${controllerNames.join(', ')}.`
  }),
  workers: flag({
    section: 'Generic',
    type: workers,
    default: 1,
    description:
      'How many processes take connections on the port; auto for as many as the machine has processors, 8 at most. The first of them writes to the store and runs the controllers. Needs --storage-backend=lmdb or etcd3.'
  }),
  'test-api': flag({
    section: 'Generic',
    type: bool,
    default: false,
    description:
      'Serve the test kit below /testing/v1/ to administrators: servers in this one, snapshots, the clock (docs/testing.md). For tests only, and not with etcd.'
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
      'With priority and fairness, the seats of all priority levels: this number and that for writes together. Without, the maximum number of concurrent reads; further ones are answered with 429, except those of administrators (system:masters). Watches and connections are not counted. 0 means no limit.'
  }),
  'max-mutating-requests-inflight': flag({
    section: 'Generic',
    type: requestCount,
    default: 200,
    description: 'Maximum number of concurrent writes; see --max-requests-inflight.'
  }),
  'enable-priority-and-fairness': flag<boolean | undefined>({
    section: 'Features',
    type: bool,
    default: undefined,
    defaultText: 'true, unless --api-groups leaves flowcontrol.apiserver.k8s.io out',
    description:
      'Lets requests wait for seats of their priority level, fairly among users, as FlowSchemas and PriorityLevelConfigurations say. Without, too many requests at once are refused.'
  }),
  'cors-allowed-origins': flag({
    section: 'Generic',
    type: strings(text => text),
    default: [],
    description:
      'Regular expressions for the origins whose web pages may use the server, separated by commas: ^https://example\\.com(:|$). Each must say where the host begins and ends.'
  }),
  'goaway-chance': flag({
    section: 'Generic',
    type: goawayChance,
    default: 0,
    description:
      'How likely a request over HTTP/2 makes its client connect anew, from 0 to 0.02, so that connections spread over several servers. With a single server, leave it at 0.'
  }),
  'shutdown-delay-duration': flag({
    section: 'Generic',
    type: duration,
    default: 0,
    description: 'How long the server goes on serving when it is told to stop, while /readyz fails already.'
  }),
  'shutdown-send-retry-after': flag({
    section: 'Generic',
    type: bool,
    default: false,
    description:
      'Whether new requests are answered with 429 and Retry-After while the server stops, after --shutdown-delay-duration, until those under way have ended.'
  }),
  'shutdown-watch-termination-grace-period': flag({
    section: 'Generic',
    type: duration,
    default: 0,
    description:
      'Time in which watches end one by one when the server stops, so that their clients do not all come back at once. 0 ends them all at once.'
  }),
  'livez-grace-period': flag({
    section: 'Generic',
    type: duration,
    default: 0,
    description: 'Time after the start in which /livez does not fail for what the server has not done yet.'
  }),
  'min-request-timeout': flag({
    section: 'Generic',
    type: integer('int', ranges.seconds),
    default: 1800,
    description: 'Seconds after which a watch without timeoutSeconds ends, or up to as long again.'
  }),
  'strict-transport-security-directives': flag({
    section: 'Generic',
    type: transportSecurity,
    default: [],
    description:
      'Directives of the header Strict-Transport-Security, separated by commas: max-age=31536000, includeSubDomains, preload. Empty sends no such header.'
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
  'emulated-version': flag({
    section: 'Generic',
    type: strings(text => text),
    default: [],
    defaultText: '1.36',
    description: 'The release to behave as, from 1.33 to 1.36: its kinds, versions and feature gates.'
  }),
  'min-compatibility-version': flag({
    section: 'Generic',
    type: strings(text => text),
    default: [],
    defaultText: '1.35',
    description:
      'The oldest release that other servers on the same etcd have. Feature gates that need all servers to know them count from then on.'
  }),
  'emulation-forward-compatible': flag({
    section: 'Generic',
    type: bool,
    default: false,
    description:
      'With --emulated-version, also serves versions that the emulated release lacks where it has a less stable one of the same resource.'
  }),
  'runtime-config-emulation-forward-compatible': flag({
    section: 'Generic',
    type: bool,
    default: false,
    description: 'With --emulated-version, also serves versions that the emulated release lacks if --runtime-config names them.'
  }),
  config: flag({
    section: 'Generic',
    type: string,
    default: undefined,
    description:
      'YAML file with flags and their values, by their names or those of the options of the library. Flags of the command line count more.'
  }),
  'kubeconfig-out': flag({
    section: 'Generic',
    type: string,
    default: undefined,
    description: 'Also write the admin kubeconfig to this file. It contains a private key and is readable by its owner only.'
  }),
  'allow-privileged': flag({
    section: 'Misc',
    type: bool,
    default: true,
    description: "Allows privileged containers, and HostProcess containers of Windows. (kube-apiserver's default is false.)"
  }),
  'enable-garbage-collector': flag({
    section: 'Storage',
    type: bool,
    default: true,
    description: 'Deletes objects whose owners are gone. Without it, deletions leave dependents and their finalizers alone.'
  }),
  'endpoint-reconciler-type': flag<'lease' | 'master-count' | 'none'>({
    section: 'Misc',
    type: oneOf(['lease', 'master-count', 'none'] as const),
    default: 'lease',
    description:
      'How the Endpoints of the Service kubernetes are kept at the addresses of the servers: by a lease of each server in etcd ("lease"), by their number ("master-count", deprecated), or not at all ("none").'
  }),
  'kubernetes-service-node-port': flag({
    section: 'Misc',
    type: integer('int', ranges.port),
    default: 0,
    description:
      'Makes the Service kubernetes a NodePort Service with this port when it is created. 0 makes it a ClusterIP Service.'
  }),
  'peer-ca-file': flag<string | undefined>({
    section: 'Misc',
    type: string,
    default: undefined,
    description:
      'Authorities of the serving certificates of other API servers over the same etcd. With it, requests for resources that only those serve are passed on to them, and discovery shows what all of them serve. Needs --proxy-client-cert-file.'
  }),
  'peer-advertise-ip': flag<string | undefined>({
    section: 'Misc',
    type: string,
    default: undefined,
    description:
      'With --peer-advertise-port, the IP address by which other API servers over the same etcd reach this one, for requests that they cannot serve themselves.'
  }),
  'peer-advertise-port': flag<string | undefined>({
    section: 'Misc',
    type: string,
    default: undefined,
    description: 'With --peer-advertise-ip, the port by which other API servers over the same etcd reach this one.'
  }),
  'coordinated-leadership-lease-duration': flag({
    section: 'Misc',
    type: duration,
    default: 15_000,
    defaultText: '15s',
    description:
      'How long the server that elects leaders from LeaseCandidates (feature gate CoordinatedLeaderElection) holds its own Lease.'
  }),
  'coordinated-leadership-renew-deadline': flag({
    section: 'Misc',
    type: duration,
    default: 10_000,
    defaultText: '10s',
    description: 'After how long that server stops electing when it cannot renew its Lease.'
  }),
  'coordinated-leadership-retry-period': flag({
    section: 'Misc',
    type: duration,
    default: 2000,
    defaultText: '2s',
    description: 'How long servers wait between two attempts to acquire or renew that Lease.'
  }),
  'event-ttl': flag({
    section: 'Misc',
    type: positiveDuration,
    default: 3_600_000,
    defaultText: '1h0m0s',
    description: 'How long Events are kept after they were last written.'
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
