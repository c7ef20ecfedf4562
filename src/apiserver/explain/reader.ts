/** What explanations read: always as the user who asks, whose permissions decide what is shown. */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { ResourceNames } from './resource-names.js'

/** An object as far as its deletion depends on it. */
export interface ReadMetadata {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly finalizers: readonly string[]
  readonly owners: readonly OwnerReference[]
  readonly deleting: boolean
}

export interface ObjectReader {
  /** All resources, each once, whatever its versions. */
  resources(): Promise<readonly ResourceNames[]>
  /** Rejects with a StatusError: 403 without permission to get it, 404 when there is none. */
  object(of: ResourceNames, namespace: string, name: string): Promise<KubeObject>
  /** The metadata of the objects of a namespace, or of all with ""; undefined without permission to list them. */
  list(of: ResourceNames, namespace: string): Promise<readonly ReadMetadata[] | undefined>
}
