import type { KubeObject } from '../apimachinery/api/kube-object.js'
import { equalWritten } from '../util/json.js'

/** Whether a write changes only owner references and finalizers: the garbage collector may do so without further permissions. */
export function isForGarbageCollection(object: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return false
  return equalWritten(withoutGarbageFields(object), withoutGarbageFields(old))
}

function withoutGarbageFields({ metadata, ...rest }: KubeObject): object {
  const { ownerReferences: _, finalizers: __, managedFields: ___, selfLink: ____, ...others } = metadata
  return { ...rest, metadata: others }
}
