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
