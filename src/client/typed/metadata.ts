/** The metadata of objects, as the server answers with it and as it takes it. */

/**
 * The object that another belongs to.
 *
 * @example
 * const owner: OwnerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '…', controller: true }
 */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean | undefined
  blockOwnerDeletion?: boolean | undefined
}

/**
 * The fields that a manager has set.
 *
 * @example
 * const [entry]: ManagedFieldsEntry[] = pod.metadata.managedFields ?? []
 */
export interface ManagedFieldsEntry {
  manager?: string | undefined
  operation?: 'Apply' | 'Update' | undefined
  apiVersion?: string | undefined
  time?: string | undefined
  fieldsType?: string | undefined
  fieldsV1?: Record<string, unknown> | undefined
  subresource?: string | undefined
}

/**
 * The metadata of an object, as far as it is there.
 *
 * @example
 * const metadata: MetadataDraft = { labels: { app: 'web' } }
 */
export interface MetadataDraft {
  name?: string | undefined
  generateName?: string | undefined
  namespace?: string | undefined
  selfLink?: string | undefined
  uid?: string | undefined
  resourceVersion?: string | undefined
  generation?: number | undefined
  creationTimestamp?: string | null | undefined
  deletionTimestamp?: string | null | undefined
  deletionGracePeriodSeconds?: number | undefined
  labels?: Record<string, string> | undefined
  annotations?: Record<string, string> | undefined
  ownerReferences?: OwnerReference[] | undefined
  finalizers?: string[] | undefined
  managedFields?: ManagedFieldsEntry[] | undefined
}

/**
 * The metadata of objects that a template makes.
 *
 * @example
 * const metadata: TemplateMetadata = deployment.spec.template.metadata
 */
export interface TemplateMetadata extends MetadataDraft {}

/**
 * The metadata of an object that the server has stored: it has a name, a uid and a version.
 *
 * @example
 * const { name, uid, resourceVersion }: ObjectMetadata = node.metadata
 */
export interface ObjectMetadata extends MetadataDraft {
  name: string
  uid: string
  resourceVersion: string
  /** As `2026-01-01T00:00:00Z`. */
  creationTimestamp: string
  deletionTimestamp?: string | undefined
}

/**
 * The metadata of an object that lies in a namespace.
 *
 * @example
 * const { namespace, name }: NamespacedMetadata = pod.metadata
 */
export interface NamespacedMetadata extends ObjectMetadata {
  namespace: string
}

/**
 * The metadata of an object that has a name.
 *
 * @example
 * const metadata: NamedMetadata = { name: 'web', resourceVersion: '12' }
 */
export interface NamedMetadata extends MetadataDraft {
  name: string
}

/**
 * The metadata of an object to whose name the server adds the end.
 *
 * @example
 * const metadata: GeneratedMetadata = { generateName: 'web-' }
 */
export interface GeneratedMetadata extends MetadataDraft {
  generateName: string
}

/**
 * The metadata of an object that is made: it has a name, or the beginning of one.
 *
 * @example
 * const metadata: NewMetadata = { generateName: 'web-' }
 */
export type NewMetadata = NamedMetadata | GeneratedMetadata

/**
 * The metadata of an object that is applied.
 *
 * @example
 * const metadata: AppliedMetadata = { name: 'web', labels: { app: 'web' } }
 */
export interface AppliedMetadata {
  name: string
  namespace?: string | undefined
  uid?: string | undefined
  resourceVersion?: string | undefined
  labels?: Record<string, string> | undefined
  annotations?: Record<string, string> | undefined
  ownerReferences?: OwnerReference[] | undefined
  finalizers?: string[] | undefined
}
