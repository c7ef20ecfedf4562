import type { AdmissionAttributes } from './admission.js'

/** Returns the object's name for error messages: its generateName as long as it has no name. */
export function nameInErrors({ name, object }: AdmissionAttributes): string {
  const { name: own, generateName } = object?.metadata ?? {}
  return name || own || generateName || 'Unknown'
}
