/** Decides in which requests a plugin takes part, by its fields `operations`, `resources` and `subresources`. */
import type { AdmissionOperation, AdmissionPlugin } from '../apimachinery/request/admission.js'
import type { GroupResource } from '../apimachinery/status/status.js'
import { UserError } from '../util/user-error.js'

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

/**
 * Throws a UserError for a plugin that would never run, because it names a resource without its group or with a subresource.
 * `exists` says whether a resource of the core group is served, and whether another group can be.
 */
export function checkScopes(plugins: readonly AdmissionPlugin[], exists: (resource: GroupResource) => boolean): void {
  for (const { name, resources = [] } of plugins) {
    const wrong = resources.find(resource => !exists(namedResource(resource)))
    if (wrong === undefined) continue
    throw new UserError(`admission plugin ${name}: resources: ${wrong}: no such resource; give the group, too: apps/deployments`)
  }
}

function namedResource(text: string): GroupResource {
  const slash = text.indexOf('/')
  return slash < 0 ? { group: '', resource: text } : { group: text.slice(0, slash), resource: text.slice(slash + 1) }
}
