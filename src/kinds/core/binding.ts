import { AdmissionChain } from '../../admission/admission.js'
import type { Binding } from '../../api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { Operation } from '../../registry/operation.js'
import { badRequest } from '../../server/status.js'
import { bind } from './pod-binding.js'

/** The old way to bind a Pod, which its own binding subresource has replaced. */
export const binding = defineKind<Binding>({
  group: '',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Binding' }],
  verbs: ['create'],
  virtual: {
    create(object: Binding, context) {
      const { namespace, user, dryRun, services } = context
      if (object.metadata.namespace && object.metadata.namespace !== namespace)
        throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
      const resource = services.registry.resource('', 'pods')
      const operation = new Operation(
        { resource, version: 'v1', namespace, user, dryRun, manager: '' },
        services,
        new AdmissionChain([])
      )
      return bind(operation, object.metadata.name ?? '', object)
    }
  }
})
