import type { CustomResources } from '../apiextensions/custom-resources.js'
import type { RequestHeaderOptions } from '../auth/authentication/request-header.js'
import type { RbacPolicy } from '../auth/authorization/rbac/policy.js'
import type { ElectionTimes } from '../client/leader-election/leader-election.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Pki } from '../transport/certificates/pki.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import type { ControllerName } from './controller-names.js'
import type { ServerAddresses } from './kubernetes-service/server-addresses.js'
import type { RemoteContent, RemoteGarbage } from './remote-content.js'
import type { PeerAddress } from './server-objects/peer-endpoint.js'
import type { StorageVersionUpdates } from './server-objects/storage-version-updates.js'
import type { Startup } from './startup.js'

export interface ControllersOptions {
  readonly services: Services
  /** Is told when work of the start is done. */
  readonly startup: Startup
  readonly rbac: RbacPolicy
  readonly customResources: CustomResources
  readonly admission: Admission
  /** The authority that signs requested certificates. */
  readonly authority: Pki['ca']
  /** PEM of the certificates that clients of this server have to trust. */
  readonly caBundle: string
  /** PEM of the authorities whose client certificates the server accepts. */
  readonly clientCAs: readonly string[]
  readonly requestHeader: RequestHeaderOptions | undefined
  /** Returns the port on which the server listens. */
  readonly port: () => number
  /** Keeps the addresses of the Service `kubernetes`; undefined when nobody does. */
  readonly serverAddresses: ServerAddresses | undefined
  readonly kubernetesServiceNodePort: number
  /** Milliseconds for which Events are kept. */
  readonly eventTtl: number
  /** Whether the server goes on from a snapshot. */
  readonly continues: boolean
  /** Whether the objects in the store are, at the start, those that the build prepared. */
  readonly isPrepared: boolean
  /** The option of the same name. */
  readonly controllers: readonly string[] | undefined
  /** Whether this server serves by priority and fairness, and therefore writes the status of FlowSchemas. */
  readonly prioritizes: boolean
  /** The StorageVersions that this server still has to write. */
  readonly updates: StorageVersionUpdates
  /** Returns where other API servers reach this one. */
  readonly peerAddress: () => PeerAddress
  /** The times of the election of the server that elects leaders among LeaseCandidates. */
  readonly coordinatedLeadership: ElectionTimes
  /** The content of namespaces on extension API servers. */
  readonly remoteContent: RemoteContent | undefined
  /** Owners and dependents on extension API servers. */
  readonly remoteGarbage: RemoteGarbage | undefined
  /** What makes a cluster of the server; undefined for one that is none. */
  readonly simulated: SimulatedParts | undefined
  readonly log: Logger
}

/** The parts of a simulated cluster. They are loaded only when they are asked for. */
export interface SimulatedParts {
  /** Makes the cluster without what is switched off, with or without its front. */
  cluster(enabled: ReadonlySet<ControllerName>, hasFront: boolean): Promise<Part>
  /** Makes what answers for the cluster. */
  front(): Promise<Part>
}
