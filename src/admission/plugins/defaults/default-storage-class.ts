import type { PersistentVolumeClaim } from '../../../apimachinery/api/generated/core-v1.js'
import { defaultClassAnnotations } from '../../../kinds/storage/storage-class.js'
import type { BuiltinPlugin } from '../../admission.js'
import { annotatedDefaults, newest } from './default-classes.js'

const legacy = 'volume.beta.kubernetes.io/storage-class'

/** Sets the default class of claims that name no class (https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass). */
export const defaultStorageClass: BuiltinPlugin = {
  name: 'DefaultStorageClass',
  operations: ['CREATE'],
  resources: ['persistentvolumeclaims'],
  admit({ object, context }) {
    const { metadata, spec }: PersistentVolumeClaim = object
    if (spec.storageClassName !== undefined || metadata.annotations?.[legacy] !== undefined) return
    const defaults = annotatedDefaults(context.services, 'storage.k8s.io', 'storageclasses', defaultClassAnnotations)
    if (defaults.length > 0) spec.storageClassName = newest(defaults).metadata.name
  }
}
