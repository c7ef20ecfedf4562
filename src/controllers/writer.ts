/** How controllers write: through the same registry as everyone, as a user of their own. */

import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import { appliedTo } from '../registry/write/apply.js'
import { create } from '../registry/write/create.js'
import { type Deleted, deleteObject } from '../registry/write/delete.js'
import type { DeleteOptions } from '../registry/write/delete-options.js'
import { Operation, type Written } from '../registry/write/operation.js'
import { update } from '../registry/write/update.js'
import type { UserInfo } from '../request/user.js'
import { decode } from '../schema/decode.js'
import { StatusError } from '../status/status.js'
import { cloneJson, type JsonObject } from '../util/json.js'

export class Writer {
  readonly #services: Services
  readonly #admission: Admission
  readonly #user: UserInfo
  readonly #manager: string

  constructor(services: Services, admission: Admission, userName: string, manager: string) {
    this.#services = services
    this.#admission = admission
    this.#user = { name: userName, groups: ['system:masters', 'system:authenticated'] }
    this.#manager = manager
  }

  #operation(resource: Resource, namespace: string, subresource = ''): Operation {
    const options = {
      resource,
      version: resource.memoryVersion.name,
      namespace,
      subresource,
      user: this.#user,
      manager: this.#manager
    }
    return new Operation(options, this.#services, this.#admission)
  }

  #decoded(resource: Resource, object: object, operation: Operation): any {
    const version = resource.memoryVersion.name
    const decoded = decode(resource.type(version), {
      kind: resource.kind.kind,
      apiVersion: resource.apiVersion(version),
      ...object
    }).object
    resource.kind.strategy?.default?.(decoded, operation)
    return decoded
  }

  async create(resource: Resource, namespace: string, object: { metadata: { name: string } }): Promise<Written> {
    const operation = this.#operation(resource, namespace)
    return create(operation, this.#decoded(resource, object, operation))
  }

  /** Creates what is not there. False when it was. */
  async ensure(resource: Resource, namespace: string, object: { metadata: { name: string } }): Promise<boolean> {
    await resource.cache.load()
    if (resource.get(namespace, object.metadata.name)) return false
    try {
      await this.create(resource, namespace, object)
      return true
    } catch (error) {
      if (error instanceof StatusError && error.status.reason === 'AlreadyExists') return false
      throw error
    }
  }

  /** `change` edits the present object in place. */
  async update(
    resource: Resource,
    namespace: string,
    name: string,
    change: (object: any) => void,
    subresource = ''
  ): Promise<Written> {
    const operation = this.#operation(resource, namespace, subresource)
    const compute = (current: any) => {
      const object = cloneJson(current)
      change(object)
      return this.#decoded(resource, object, operation)
    }
    return update(operation, { name, compute })
  }

  /** Applies a configuration to an object that is there, over whoever owns its fields. */
  async apply(
    resource: Resource,
    namespace: string,
    config: JsonObject & { metadata: { name: string } },
    subresource = ''
  ): Promise<Written> {
    const operation = this.#operation(resource, namespace, subresource)
    const { name } = config.metadata
    const identified = { kind: resource.kind.kind, apiVersion: resource.apiVersion(operation.version), ...config }
    const compute = (current: any) => appliedTo(operation, current, identified, true)
    return update(operation, { name, compute, tracksFields: true })
  }

  async delete(resource: Resource, namespace: string, name: string, options: DeleteOptions = {}): Promise<Deleted | undefined> {
    try {
      return await deleteObject(this.#operation(resource, namespace), name, options)
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined
      throw error
    }
  }
}
