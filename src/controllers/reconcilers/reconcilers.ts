/**
 * Runs reconcilers: informers of a client notice changed objects, and the work queue of the server's own controllers orders the
 * work.
 */

import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { AUTHENTICATED_GROUP } from '../../apimachinery/request/user.js'
import { createClient } from '../../client/client.js'
import { refOf } from '../../client/kind-names.js'
import type { Transport } from '../../client/transport.js'
import type { Informer, KindRef } from '../../client/types.js'
import type { Clock } from '../../util/clock.js'
import type { WorkQueues } from '../../util/instruments/work-queues.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'
import type { Reconciler } from './reconciler.js'

export interface ReconcilersOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly queues: WorkQueues
  readonly log: Logger
}

export function reconcilerParts(reconcilers: readonly Reconciler[], options: ReconcilersOptions): Part[] {
  return reconcilers.map(reconciler => new ReconcilerPart(reconciler, options))
}

const keyOf = (namespace: string | undefined, name: string | undefined) => `${namespace ?? ''}/${name}`
const groupOf = (apiVersion: string) => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')))

class ReconcilerPart implements Part {
  readonly name: string
  readonly #reconciler: Reconciler
  readonly #kind: KindRef
  readonly #controller: Controller
  readonly #client
  readonly #log: Logger
  readonly #informers: Informer<KubeObject>[] = []

  constructor(reconciler: Reconciler, options: ReconcilersOptions) {
    this.#reconciler = reconciler
    this.#kind = refOf(reconciler.for)
    this.name = reconciler.name ?? this.#kind.kind.toLowerCase()
    const { clock, queues, log } = options
    this.#log = log
    const { user } = reconciler
    const groups = [...(user ? (user.groups ?? []) : ['system:masters']), AUTHENTICATED_GROUP]
    this.#client = createClient(options.transport, {
      user: { ...(user ?? { name: `system:reconciler:${this.name}` }), groups },
      fieldManager: this.name
    })
    this.#controller = new Controller({
      name: this.name,
      watches: [],
      reconcile: (key, signal) => this.#reconcile(key, signal),
      clock,
      queues,
      log,
      logsFrom: 1,
      workers: reconciler.workers ?? 1
    })
  }

  /** Begins to follow the objects. The server need not be ready, nor the kinds be defined. */
  start(): void {
    const changed = ({ metadata }: KubeObject) => this.#controller.enqueue(keyOf(metadata.namespace, metadata.name))
    this.#follow(this.#kind, changed)
    for (const owned of this.#reconciler.owns ?? []) this.#follow(refOf(owned), object => this.#ownerChanged(object))
  }

  #follow({ apiVersion, kind }: KindRef, changed: (object: KubeObject) => void): void {
    const informer = this.#client.of<KubeObject>({ apiVersion, kind }).informer()
    for (const event of ['add', 'update', 'delete'] as const) informer.on(event as 'add', changed)
    let last = ''
    informer.on('error', error => {
      const text = `reconciler ${this.name}: cannot follow ${apiVersion} ${kind}: ${error instanceof Error ? error.message : error}`
      // the work queue tries again and again
      if (text !== last) this.#log.warn(text)
      last = text
    })
    this.#informers.push(informer)
  }

  #ownerChanged({ metadata }: KubeObject): void {
    const { apiVersion, kind } = this.#kind
    for (const owner of metadata.ownerReferences ?? [])
      if (owner.controller && owner.kind === kind && groupOf(owner.apiVersion) === groupOf(apiVersion)) {
        // a namespaced object may have a cluster-scoped owner
        const namespaced = keyOf(metadata.namespace, owner.name)
        this.#controller.enqueue(this.#find(namespaced) ? namespaced : keyOf(undefined, owner.name))
      }
  }

  #find(key: string): KubeObject | undefined {
    const [namespace = '', name = ''] = key.split('/')
    return this.#informers[0]!.get({ metadata: { name, namespace } })
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<number | undefined> {
    const object = this.#find(key)
    if (!object) return undefined
    const context = { client: this.#client, signal, log: this.#log }
    const result = await this.#reconciler.reconcile(structuredClone(object), context)
    return result?.requeueAfter
  }

  async stop(): Promise<void> {
    for (const informer of this.#informers) informer.stop()
    await this.#controller.stop()
  }
}
