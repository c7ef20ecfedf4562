/** What the console reads of objects of every kind. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: string
  readonly subresource?: string
  readonly time?: string
  readonly fieldsV1?: unknown
}

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface Status {
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly details?: { readonly causes?: readonly StatusCause[] }
}

export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

export interface TableRow {
  readonly cells: readonly unknown[]
  readonly object: { readonly metadata: ObjectMeta }
}

/** See https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables. */
export interface Table {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number }
  /** A watch sends them with its first event only. */
  readonly columnDefinitions?: readonly ColumnDefinition[] | null
  readonly rows: readonly TableRow[] | null
}

/** A kind of objects that the server has, in its preferred version. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  /** The plural name, as in paths. */
  readonly name: string
  readonly kind: string
  readonly singular: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly string[]
}
