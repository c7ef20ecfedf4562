import { create } from '../../../registry/write/create.js'
import { Operation } from '../../../registry/write/operation.js'
import { decode } from '../../../schema/decode.js'
import { forbidden, notFound, StatusError } from '../../../status/status.js'
import { type AdmissionAttributes, AdmissionChain, type BuiltinPlugin } from '../../admission.js'

const what = { group: '', resource: 'namespaces' }
const user = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] }

function isMissing({ resource, namespace, context }: AdmissionAttributes): boolean {
  if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return false
  return !context.services.registry.resource('', 'namespaces').get('', namespace)
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
  const namespaces = services.registry.resource('', 'namespaces')
  const version = namespaces.memoryVersion.name
  const options = { resource: namespaces, version, namespace: '', user, manager: 'kube-apiserver' }
  const operation = new Operation(options, services, new AdmissionChain([]))
  const { object } = decode(namespaces.type(version), { kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace } })
  namespaces.kind.strategy?.default?.(object, operation)
  try {
    await create(operation, object)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    if (error.status.reason !== 'AlreadyExists') throw forbidden(resource.groupResource, name, error.message)
  }
}
