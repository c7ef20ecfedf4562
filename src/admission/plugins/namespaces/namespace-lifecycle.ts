import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden, notFound } from '../../../apimachinery/status/status.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { nameInErrors } from '../../name-in-errors.js'

/** Namespaces that cannot be deleted. */
const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])
/** Reviews do not need their namespace, because they are not stored. */
const reviews: ReadonlySet<string> = new Set(['authorization.k8s.io/localsubjectaccessreviews'])

const namespaces = { group: '', resource: 'namespaces' }

/** Refuses new objects in a namespace that does not exist or is being deleted, and the deletion of some namespaces. */
export const namespaceLifecycle: BuiltinPlugin = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'DELETE'],
  subresources: '*',
  admit(attributes: AdmissionAttributes) {
    const { operation, resource, namespace, name, context } = attributes
    const what = resource.groupResource
    if (what.group === '' && what.resource === 'namespaces') {
      if (operation === 'DELETE' && immortal.has(name)) throw forbidden(what, name, 'this namespace may not be deleted')
      return
    }
    if (operation === 'DELETE' || !resource.namespaced || namespace === '' || reviews.has(`${what.group}/${what.resource}`))
      return
    const owner = context.services.registry.of(refs.namespaces)
    const found = owner.get('', namespace)
    if (!found) throw notFound(namespaces, namespace)
    if (owner.peek(found).metadata.deletionTimestamp === undefined) return
    throw forbidden(
      what,
      nameInErrors(attributes),
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }]
    )
  }
}
