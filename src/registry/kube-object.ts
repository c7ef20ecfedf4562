import type { ObjectMeta } from '../api/generated/meta-v1.js'

/**
 * An object of any kind, with the fields that all kinds share. Extend it for a kind of your own.
 *
 * @example
 * interface Course extends KubeObject {
 *   spec: { seats: number }
 * }
 */
export interface KubeObject {
  kind?: string | undefined
  apiVersion?: string | undefined
  metadata: ObjectMeta
}
