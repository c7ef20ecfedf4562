/**
 * Names of configurations that only manifests on the server's disk may have: `staticManifestsDir` in the admission configuration.
 */

import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { Path } from '../../apimachinery/validation/field.js'
import type { Strategy } from '../../registry/strategy.js'

export const staticSuffix = '.static.k8s.io'

const reserved = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`

const isStatic = ({ metadata }: KubeObject): boolean => metadata.name?.endsWith(staticSuffix) ?? false

/**
 * The part of these kinds' strategies that refuses such names. With the gate off, and for objects that already exist, it only
 * warns.
 */
export const staticNames: Pick<Strategy<KubeObject>, 'validateCreate' | 'warnings'> = {
  validateCreate(object, errors) {
    if (errors.enabled('ManifestBasedAdmissionControlConfig') && isStatic(object))
      errors.invalid(Path.of('metadata', 'name'), object.metadata.name, reserved)
  },
  warnings: object => (isStatic(object) ? [`metadata.name: ${reserved}`] : [])
}
