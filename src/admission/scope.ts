/** Which requests a plugin takes part in, as its fields `operations`, `resources` and `subresources` say. */
import type { AdmissionOperation, AdmissionPlugin } from '../request/admission.js'
import type { GroupResource } from '../status/status.js'

type Scope = Pick<AdmissionPlugin, 'operations' | 'resources' | 'subresources'>

const objectItself = ['']

/** The name under which a plugin's `resources` name a resource: `pods`, `apps/deployments`. */
export const scopeName = ({ group, resource }: GroupResource): string => (group === '' ? resource : `${group}/${resource}`)

export function takesPart(
  { operations, resources, subresources = objectItself }: Scope,
  resource: GroupResource,
  subresource: string,
  operation: AdmissionOperation
): boolean {
  if (operations && !operations.includes(operation)) return false
  if (resources && !resources.includes(scopeName(resource))) return false
  return subresources === '*' || subresources.includes(subresource)
}
