import type { Stage } from '../../apimachinery/request/stage.js'
import { serviceUnavailable } from '../../apimachinery/status/status.js'

/**
 * The resources whose StorageVersions this server has yet to write after its start. Until then an object could be stored in a version
 * that no StorageVersion names, and a migration to a new version would miss it. So writes to these resources wait.
 */
export class StorageVersionUpdates {
  /** The resources that are left, by "resource.group", with the error of the last attempt. */
  readonly #pending = new Map<string, string | undefined>()

  expect(names: Iterable<string>): void {
    for (const name of names) this.#pending.set(name, undefined)
  }

  done(names: Iterable<string>): void {
    for (const name of names) this.#pending.delete(name)
  }

  failed(names: Iterable<string>, error: string): void {
    for (const name of names) if (this.#pending.has(name)) this.#pending.set(name, error)
  }

  get isComplete(): boolean {
    return this.#pending.size === 0
  }

  /** Refuses writes to resources that are left. Leases in kube-system may be written, because StorageVersions depend on one. */
  get stage(): Stage {
    return {
      name: 'storage versions',
      why: 'refuses writes to a resource until this server has said in which version it stores it (503)',
      handle: (context, next) => {
        const { isResourceRequest, verb, group, resource, namespace } = context.info
        if (this.isComplete || !isResourceRequest || reads.has(verb)) return next(context)
        const name = nameOf(group, resource)
        if (!this.#pending.has(name) || name === versions || (name === leases && namespace === 'kube-system'))
          return next(context)
        const error = this.#pending.get(name) ?? '<nil>'
        throw serviceUnavailable(
          `wait for storage version registration to complete for resource: ${name}, last seen error: ${error}`
        )
      }
    }
  }
}

/** Returns "deployments.apps", and "pods" for the core group. */
export const nameOf = (group: string, resource: string): string => (group === '' ? resource : `${resource}.${group}`)

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch'])
const versions = 'storageversions.internal.apiserver.k8s.io'
const leases = 'leases.coordination.k8s.io'
