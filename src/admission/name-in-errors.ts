import type { AdmissionAttributes } from './admission.js'

/** What a refusal calls the object: a name that is still to be made goes by what it begins with. */
export function nameInErrors({ name, object }: AdmissionAttributes): string {
  const { name: own, generateName } = object?.metadata ?? {}
  return name || own || generateName || 'Unknown'
}
