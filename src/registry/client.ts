/** A typed client for parts of the server, whose writes go through the registry like those of requests. */

import type { ResourceRef } from '../apimachinery/api/resources.js'
import type { UserInfo } from '../apimachinery/request/user.js'
import { decode } from '../apimachinery/schema/decode.js'
import { StatusError } from '../apimachinery/status/status.js'
import { cloneJson, type JsonObject } from '../util/json.js'
import type { AnyObject } from './kind.js'
import { Resource } from './resource.js'
import type { Services } from './services.js'
import type { Admission } from './write/admission.js'
import { type Deleted, deleteObject } from './write/delete.js'
import type { DeleteOptions } from './write/delete-options.js'
import { Operation, type Written } from './write/operation.js'
import * as verbs from './write/verbs.js'
import { write } from './write/write.js'

/** A resource, or a reference to one that every server works with. */
type Of<T> = Resource<T> | ResourceRef<T>

export interface ClientOptions {
  readonly user: UserInfo
  /** The name of the field manager. */
  readonly manager: string
}

/** Returns the server's own user, or that of one of its controllers, which may do everything. */
export const systemUser = (name: string): UserInfo => ({ name, groups: ['system:masters', 'system:authenticated'] })

export class Client {
  readonly #services: Services
  readonly #admission: Admission
  readonly #options: ClientOptions

  constructor(services: Services, admission: Admission, options: ClientOptions) {
    this.#services = services
    this.#admission = admission
    this.#options = options
  }

  #resource<T>(of: Of<T>): Resource<T> {
    return of instanceof Resource ? of : this.#services.registry.of(of)
  }

  #operation<T>(resource: Resource<T>, namespace: string, subresource = ''): Operation {
    const version = resource.memoryVersion.name
    return new Operation({ resource, version, namespace, subresource, ...this.#options }, this.#services, this.#admission)
  }

  #decoded(resource: Resource, object: object): AnyObject {
    const version = resource.memoryVersion.name
    const identified = { kind: resource.kind.kind, apiVersion: resource.apiVersion(version), ...object }
    return decode(resource.type(version), identified).object
  }

  async create<T>(of: Of<T>, namespace: string, object: { metadata: { name: string } }): Promise<Written> {
    const resource = this.#resource(of)
    const operation = this.#operation(resource, namespace)
    return write(operation, verbs.create, { name: '' }, { object: this.#decoded(resource, object) })
  }

  /** Creates an object that does not exist. Returns false when it does. */
  async ensure<T>(of: Of<T>, namespace: string, object: { metadata: { name: string } }): Promise<boolean> {
    const resource = this.#resource(of)
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

  /** `change` edits a copy of the present object in place. */
  async update<T>(of: Of<T>, namespace: string, name: string, change: (object: T) => void, subresource = ''): Promise<Written> {
    const resource = this.#resource(of)
    const operation = this.#operation(resource, namespace, subresource)
    const patch = (live: T) => {
      const object = cloneJson(live)
      change(object)
      return { object: this.#decoded(resource, object as object), version: operation.version }
    }
    return write(operation, verbs.patch, { name }, { patch })
  }

  /** Applies a configuration to an object that exists, and takes over its fields from other managers. */
  async apply<T>(
    of: Of<T>,
    namespace: string,
    config: JsonObject & { metadata: JsonObject & { name: string } },
    subresource = ''
  ): Promise<Written> {
    const resource = this.#resource(of)
    const operation = this.#operation(resource, namespace, subresource)
    const identified = { kind: resource.kind.kind, apiVersion: resource.apiVersion(operation.version), ...config }
    return write(operation, verbs.applyToPresent, config.metadata, { config: identified, force: true })
  }

  /** Deletes an object. Returns undefined when it does not exist. */
  async delete<T>(of: Of<T>, namespace: string, name: string, options: DeleteOptions = {}): Promise<Deleted | undefined> {
    try {
      return await deleteObject(this.#operation(this.#resource(of), namespace), name, options)
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined
      throw error
    }
  }
}
