import type { ObjectMeta } from '../api/generated/meta-v1.js'

/** Any object with the fields that all objects share. */
export interface KubeObject {
  kind?: string | undefined
  apiVersion?: string | undefined
  metadata: ObjectMeta
}
