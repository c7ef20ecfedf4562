import type { AdmissionAttributes } from '../../admission.js'

/** Whether an attempt writes a Pod itself, and not through a subresource. */
export function isPod({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === ''
}
