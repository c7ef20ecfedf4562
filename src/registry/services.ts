import type { Dial, InProcessServers } from '../transport/proxy/dial-target.js'
import type { WorkQueues } from '../util/instruments/work-queues.js'
import type { InjectedFaults } from './injected-faults.js'
import type { Registry } from './registry.js'
import type { StrategyServices } from './strategy-services.js'
import type { Committer } from './write/committer.js'

/** Counts streams and logs of Pods for the metrics. */
export interface StreamCounts {
  /** An exec or attach over WebSocket that became SPDY has ended, with a status code of its own. */
  translated(code: number): void
  /** A port-forward in WebSocket began, or was refused with a status code. */
  tunnelled(code: number): void
  /** A request for exec, attach or portforward that is not left to the kubelet. */
  webSocket(subresource: string): void
  log(skipsVerification: boolean): void
  /** A log was not read, because the kubelet's certificate is not trusted. */
  untrustedLog(): void
}

/** The connections that the server opens into the cluster. */
export interface Connections {
  readonly kubelets: Dial
  /** Kubelets that are simulated in this process. They are asked first. */
  readonly simulatedKubelets: InProcessServers
  /** Extension API servers that are simulated in this process. They are asked first, by the DNS names of their Services. */
  readonly simulatedServices: InProcessServers
  /** Connects without verifying certificates, for clients who ask for that. */
  readonly unverifiedKubelets: Dial
  /** Connects to Pods, Services, and other ports of Nodes. */
  readonly workloads: Dial
  /** The most bytes a second in each direction of an upgraded connection; undefined or 0 stands for no limit. */
  readonly bytesPerSecond: number | undefined
  readonly counts: StreamCounts
  /** The types of Node addresses, in the order of preference. */
  readonly addressTypes: readonly string[]
}

/** The services of one server for admission, endpoints, subresources and controllers. */
export interface Services extends StrategyServices {
  readonly registry: Registry
  /** The name of the machine as clients see it. */
  readonly hostName: string
  readonly queues: WorkQueues
  readonly connections: Connections
  /** The rules that make requests fail in tests; left out where there can be none. */
  readonly faults?: InjectedFaults | undefined
  /** Commits the writes of an object that belongs to a set; left out for all others, which commit at once. */
  readonly committer?: Committer | undefined
}
