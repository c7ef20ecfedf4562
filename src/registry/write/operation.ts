/** One write in progress: its resource, its user, its options, and the services that it uses. */
import type { Manager } from '../../apimachinery/fieldmanager/managed-fields.js'
import type { AdmissionOperation } from '../../apimachinery/request/admission.js'
import { noOrigin, type Origin } from '../../apimachinery/request/origin.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { GroupKind, GroupResource } from '../../apimachinery/status/status.js'
import type { Resource } from '../resource.js'
import type { Services } from '../services.js'
import type { StrategyContext } from '../strategy-context.js'
import type { StatusSubresource } from '../subresource.js'
import type { Admission, WriteAttributes } from './admission.js'
import type { DeleteOptions } from './delete-options.js'

export interface OperationOptions {
  readonly resource: Resource
  /** The version in the path of the request. */
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
  /** A deletion writes the grace period into them that it decides on, as kube-apiserver does. */
  deleteOptions: DeleteOptions | undefined
  readonly manager: Manager
  readonly services: Services
  readonly admission: Admission
  readonly now: number
  readonly origin: Origin

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
    this.origin = options.origin ?? noOrigin
  }

  /**
   * Adds a Warning to the answer. May be passed on as a function. The function is made when it is asked for: one that every operation made
   * in its constructor let V8 allocate requests in its old generation, where they outlived each scavenge.
   */
  get warn(): (text: string) => void {
    const { origin } = this
    return text => origin.warn(text)
  }

  /** Whether the operation lets other requests take turns between its steps, because its body is large. */
  get isLarge(): boolean {
    return this.origin.isLarge
  }

  get groupResource(): GroupResource {
    return this.resource.groupResource
  }

  /** The kind in errors about the object itself, which name the group of the version in which it lies in memory. */
  get groupKind(): GroupKind {
    const { group, kind, memoryVersion } = this.resource
    const { apiVersion } = memoryVersion
    return {
      group: apiVersion === undefined ? group : apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))),
      kind: kind.kind
    }
  }

  /** Returns the attributes that admission sees. A write of a Namespace has that namespace. */
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

/** Returns the kind's declaration of its status subresource, if it has one beyond `true`. */
export function statusOf({ resource: { kind } }: Operation): StatusSubresource<any> | undefined {
  const status = kind.subresources?.status
  return typeof status === 'object' ? status : undefined
}

/** Whether the status changes through its subresource alone. */
export function hasOwnStatus({ resource: { kind }, services }: Operation): boolean {
  const status = kind.subresources?.status
  if (!status) return false
  return typeof status !== 'object' || !status.onlyWith || services.features.enabled(status.onlyWith)
}

/** The result of a write: the object as it is now stored, or would be stored in a dry run. */
export interface Written {
  /** In the storage version, resourceVersion included. */
  readonly object: any
  /** The cached bytes of the object, if known. */
  readonly bytes: Buffer | undefined
  readonly created: boolean
}
