import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import { aboutResource, type Decision } from '../../apimachinery/request/authorization.js'
import { forbidden } from '../../apimachinery/status/status.js'
import { equalJson } from '../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../admission.js'

/**
 * An owner reference can delete the object along with its owner, or block the deletion of the owner. So a user who sets one must
 * be allowed to delete the object, or to set finalizers of the owner.
 */
export const ownerReferencesPermissionEnforcement: BuiltinPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  subresources: '*',
  validate(attributes) {
    const { resource, subresource, object, oldObject } = attributes
    if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return undefined
    const owners = ownersOf(object)
    const before = ownersOf(oldObject)
    if (equalJson(owners, before)) return undefined
    return validateOwners(attributes, owners, before)
  }
}

const ownersOf = (object: any): readonly OwnerReference[] => object?.metadata?.ownerReferences ?? []

async function validateOwners(
  { operation, resource, subresource, namespace, name, context }: AdmissionAttributes,
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[]
): Promise<void> {
  const { user, version, services } = context
  const { authorizer } = services
  const refuse = (why: string, { reason, error = '<nil>' }: Decision) =>
    forbidden(resource.groupResource, name, `${why}: ${reason}, ${error}`)
  if (operation !== 'CREATE') {
    const { group, resource: plural } = resource
    const question = aboutResource({ user, verb: 'delete', namespace, group, version, resource: plural, subresource, name })
    const decision = await authorizer.authorize(question)
    if (!decision.allowed) throw refuse("cannot set an ownerRef on a resource you can't delete", decision)
  }
  const blocked = new Set(before.filter(owner => owner.blockOwnerDeletion).map(({ uid }) => uid))
  const blocking = owners.filter(owner => owner.blockOwnerDeletion && !blocked.has(owner.uid))
  if (blocking.length === 0) return
  const finalize = { user, verb: 'update', subresource: 'finalizers' }
  if ((await authorizer.authorize(aboutResource({ ...finalize, group: '*', resource: '*', name: '*' }))).allowed) return
  for (const { apiVersion, kind, name: owner } of blocking) {
    const [group, of] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion]
    const found = [...services.registry.served()].find(r => r.group === group && r.kind.kind === kind && r.versions.has(of))
    if (!found) {
      const why = `no matches for kind "${kind}" in version "${apiVersion}"`
      throw forbidden(
        resource.groupResource,
        name,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`
      )
    }
    const place = found.namespaced ? namespace : ''
    const question = aboutResource({
      ...finalize,
      group,
      version: of,
      resource: found.resource,
      namespace: place,
      name: owner
    })
    const decision = await authorizer.authorize(question)
    if (!decision.allowed)
      throw refuse(
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
        decision
      )
  }
}
