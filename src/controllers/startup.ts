/** The work of a server's start, under the names that kube-apiserver has for it: a health check of that name fails until it is done. */
import type { Part } from '../util/part.js'

/** All names, in the order in which kube-apiserver lists them. */
export const hooks = [
  'start-encryption-provider-config-automatic-reload',
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'peer-endpoint-reconciler-controller',
  'mixed-version-proxy-handler',
  'local-discovery-cache-sync',
  'peer-discovery-workers',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-kube-apiserver-coordinated-leader-election-controller',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'built-in-resources-storage-version-updater',
  'kube-apiserver-autoregistration',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller'
] as const

export type Hook = (typeof hooks)[number]

export class Startup {
  readonly #waiting = new Set<Hook>()
  readonly #done = new Set<Hook>()

  /** Names the work that this server does. The other names get no health check. */
  expect(...names: readonly Hook[]): void {
    for (const name of names) this.#waiting.add(name)
  }

  /** To be called when work has been done. */
  done(...names: readonly Hook[]): void {
    for (const name of names) {
      this.#waiting.add(name)
      this.#done.add(name)
    }
  }

  isDone(name: Hook): boolean {
    return this.#done.has(name)
  }

  /** The work that this server does, finished or not, in kube-apiserver's order. */
  get expected(): Hook[] {
    return hooks.filter(name => this.#waiting.has(name))
  }

  /** Returns a part that starts as `part` does, and then reports this work as done. */
  during<P extends Part>(part: P, ...names: readonly Hook[]): Part {
    this.expect(...names)
    return {
      name: part.name,
      start: async () => {
        await part.start?.()
        this.done(...names)
      },
      stop: () => part.stop?.(),
      ...(part.reload ? { reload: () => part.reload!() } : {})
    }
  }
}
