/** A simulated cluster for the tests of a file, which ends with them. */
import { after, before } from 'node:test'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { KubeClient } from '../../../client/stored-types.js'
import { type BinnacleServer, createServer, type ServerOptions } from '../../../index.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { silentLogger } from '../../../util/logger.js'

export class SimulatedCluster {
  readonly clock = new FakeClock()
  readonly server: BinnacleServer

  constructor(options: ServerOptions) {
    this.server = createServer({
      listen: false,
      storageBackend: 'memory',
      simulate: { nodes: 3 },
      log: silentLogger,
      clock: this.clock,
      ...options
    })
  }

  get client(): KubeClient {
    return this.server.client() as KubeClient
  }

  /** Lets time pass, in steps after each of which what it began comes to its end. */
  async pass(milliseconds: number, step = 1000): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += step) await this.clock.pass(Math.min(step, milliseconds - passed))
    await this.settle()
  }

  /** Lets time jump, as for a server that has been asleep. */
  async jump(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds)
    await this.settle()
  }

  /** Resolves when nobody writes any more. */
  async settle(): Promise<void> {
    let last = ''
    for (let quiet = 0; quiet < 4; ) {
      await this.clock.pass(0)
      const { metadata } = await this.client.of('v1', 'Event').list({ limit: 1 })
      quiet = metadata.resourceVersion === last ? quiet + 1 : 0
      last = metadata.resourceVersion
    }
  }

  /** The Events about an object, in their order: reason, message, and how often if more than once. */
  async events({ kind, metadata }: KubeObject): Promise<string[]> {
    const { items } = await this.client.of('v1', 'Event').list({ namespace: metadata.namespace ?? 'default' })
    return items
      .filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === metadata.name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ reason, message, count }) => `${reason}: ${message}${count === 1 ? '' : ` (${count})`}`)
  }
}

/** Starts the cluster before the tests of the file. `setup` makes what all of them find. */
export function simulatedCluster(options: ServerOptions = {}, setup?: () => Promise<void>): SimulatedCluster {
  const cluster = new SimulatedCluster(options)
  before(async () => {
    await cluster.server.start()
    await setup?.()
  })
  after(() => cluster.server.stop())
  return cluster
}
