import type { AdmissionAttributes } from '../../admission.js'

/** Whether an attempt is about a Pod itself, no subresource of it. */
export function isPod({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === ''
}
