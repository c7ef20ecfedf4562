import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden, notFound, StatusError } from '../../../apimachinery/status/status.js'
import { Client } from '../../../registry/client.js'
import { noAdmission } from '../../../registry/write/admission.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'

const what = { group: '', resource: 'namespaces' }
const user = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] }

function isMissing({ resource, namespace, context }: AdmissionAttributes): boolean {
  if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return false
  return !context.services.registry.of(refs.namespaces).get('', namespace)
}

/** Refuses writes to a namespace that does not exist. */
export const namespaceExists: BuiltinPlugin = {
  name: 'NamespaceExists',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: '*',
  validate(attributes) {
    if (isMissing(attributes)) throw notFound(what, attributes.namespace)
  }
}

/** Creates the namespaces of new objects, when they do not exist. */
export const namespaceAutoProvision: BuiltinPlugin = {
  name: 'NamespaceAutoProvision',
  operations: ['CREATE'],
  subresources: '*',
  admit(attributes) {
    return attributes.context.dryRun || !isMissing(attributes) ? undefined : provide(attributes)
  }
}

async function provide({ resource, namespace, name, context: { services } }: AdmissionAttributes): Promise<void> {
  const client = new Client(services, noAdmission, { user, manager: 'kube-apiserver' })
  try {
    await client.create(refs.namespaces, '', { metadata: { name: namespace } })
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    if (error.status.reason !== 'AlreadyExists') throw forbidden(resource.groupResource, name, error.message)
  }
}
