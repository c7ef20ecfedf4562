import type { OwnerReference } from '../api/generated/meta-v1.js'

/** What other API servers, which APIServices register, have in a namespace. */
export interface RemoteContent {
  /** The group versions, such as "metrics.k8s.io/v1beta1", whose resources are not known. */
  unknown(): readonly string[]
  /** Deletes what is in a namespace. */
  empty(namespace: string): Promise<RemoteResult>
}

export interface RemoteResult {
  readonly remaining: readonly RemoteRemaining[]
  /** Why something could not be deleted or counted. */
  readonly errors: readonly string[]
}

export interface RemoteRemaining {
  readonly group: string
  readonly resource: string
  readonly objects: number
  readonly finalizers: ReadonlyMap<string, number>
}

export const noRemoteContent: RemoteContent = {
  unknown: () => [],
  empty: async () => ({ remaining: [], errors: [] })
}

/** An object of another API server that names owners. */
export interface RemoteDependent {
  readonly uid: string
  /** Empty for an object without a namespace. */
  readonly namespace: string
  readonly owners: readonly OwnerReference[]
  delete(): Promise<void>
}

/** Owners and dependents on other API servers. */
export interface RemoteGarbage {
  /** Whether there are no other API servers. */
  readonly isEmpty: boolean
  /** Whether an owner exists whose kind this server does not have. */
  standing(owner: OwnerReference, namespace: string): Promise<'solid' | 'absent' | 'unknown'>
  /** The objects that name owners and are not being deleted. */
  dependents(): AsyncIterable<RemoteDependent>
}
