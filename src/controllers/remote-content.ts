import type { OwnerReference } from '../apimachinery/api/generated/meta-v1.js'

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
  /** Whether the object only waits for its finalizers. */
  readonly isDeleting: boolean
  readonly owners: readonly OwnerReference[]
  /** Reads the object anew, since its owners may have changed; undefined when it is gone. Rejects when its server does not answer. */
  latest(): Promise<RemoteDependent | undefined>
  /** Does nothing when the object has changed meanwhile. */
  delete(): Promise<void>
  /** Removes the reference to an owner. */
  leave(owner: string): Promise<void>
}

/** Takes what happens to the objects of other API servers where those can be watched. */
export interface RemoteFollower {
  /** Takes an object that has owners, or has them no more. */
  changed(dependent: RemoteDependent): void
  gone(uid: string): void
  /** The object is followed no more. */
  forgotten(uid: string): void
  /** Called when objects may have gone without notice. */
  missed(): void
}

/** Owners and dependents on other API servers. */
export interface RemoteGarbage {
  /** Whether there are no other API servers. */
  readonly isEmpty: boolean
  /** Whether an owner exists whose kind this server does not have. */
  standing(owner: OwnerReference, namespace: string): Promise<'solid' | 'absent' | 'unknown'>
  /** Whether the follower is told when an owner goes. */
  isFollowed(owner: OwnerReference): boolean
  /**
   * The objects that name owners and are not being deleted, of the resources that are not followed. Throws at the end when a server
   * does not answer.
   */
  dependents(): AsyncIterable<RemoteDependent>
  follow(follower: RemoteFollower): { close(): void }
}
