/** One write in progress: what it is about, for whom, and what it may use. */
import type { Manager } from '../../fieldmanager/managed-fields.js'
import type { AdmissionOperation } from '../../request/admission.js'
import { noOrigin, type Origin } from '../../request/origin.js'
import type { UserInfo } from '../../request/user.js'
import type { GroupKind, GroupResource } from '../../status/status.js'
import type { Resource } from '../resource.js'
import type { Services } from '../services.js'
import type { StrategyContext } from '../strategy-context.js'
import type { Admission, WriteAttributes } from './admission.js'
import type { DeleteOptions } from './delete-options.js'

export interface OperationOptions {
  readonly resource: Resource
  /** The version that the client speaks. */
  readonly version: string
  readonly namespace: string
  /** Left out where the server itself writes. */
  readonly request?: StrategyContext['request']
  readonly subresource?: string
  readonly user: UserInfo
  readonly dryRun?: boolean
  readonly query?: URLSearchParams | undefined
  readonly deleteOptions?: DeleteOptions | undefined
  /** The field manager's name. */
  readonly manager: string
  /** Left out where the server itself writes. */
  readonly origin?: Origin
}

const noRequest: StrategyContext['request'] = { name: '', verb: '' }

export class Operation implements StrategyContext {
  readonly resource: Resource
  readonly version: string
  readonly namespace: string
  readonly request: StrategyContext['request']
  readonly subresource: string
  readonly user: UserInfo
  readonly dryRun: boolean
  readonly query: URLSearchParams | undefined
  readonly deleteOptions: DeleteOptions | undefined
  readonly manager: Manager
  readonly services: Services
  readonly admission: Admission
  readonly now: number
  readonly origin: Origin
  /** Adds a warning to the answer. May be passed on as it is. */
  readonly warn: (text: string) => void

  constructor(options: OperationOptions, services: Services, admission: Admission) {
    this.resource = options.resource
    this.version = options.version
    this.namespace = options.namespace
    this.request = options.request ?? noRequest
    this.subresource = options.subresource ?? ''
    this.user = options.user
    this.dryRun = options.dryRun ?? false
    this.query = options.query
    this.deleteOptions = options.deleteOptions
    this.manager = {
      name: options.manager,
      apiVersion: options.resource.apiVersion(options.version),
      subresource: this.subresource
    }
    this.services = services
    this.admission = admission
    this.now = services.clock.now()
    const origin = options.origin ?? noOrigin
    this.origin = origin
    this.warn = text => origin.warn(text)
  }

  /** Whether others have their turn between the steps of the operation. */
  get isLarge(): boolean {
    return this.origin.isLarge
  }

  get groupResource(): GroupResource {
    return this.resource.groupResource
  }

  get groupKind(): GroupKind {
    return { group: this.resource.group, kind: this.resource.kind.kind }
  }

  /** Records the objects of the request: `before` is undefined for a creation, `after` for a deletion. */
  wrote(before: unknown, after: unknown): void {
    if (this.origin.record) this.origin.record.objects = { before, after }
  }

  /** The attributes that admission sees. A write of a Namespace is in that namespace. */
  attributes(operation: AdmissionOperation, name: string, object: any, oldObject: any): WriteAttributes {
    return {
      operation,
      resource: this.resource,
      subresource: this.subresource,
      namespace: this.resource.group === '' && this.resource.resource === 'namespaces' ? name : this.namespace,
      name,
      object,
      oldObject,
      context: this
    }
  }
}

/** The outcome of a write: the object as it is now stored (or would be, in a dry run). */
export interface Written {
  /** In the storage version, resourceVersion included. */
  readonly object: any
  /** The same as the cached bytes, where they are at hand. */
  readonly bytes: Buffer | undefined
  readonly created: boolean
}
