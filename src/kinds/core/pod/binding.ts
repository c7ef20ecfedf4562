import { AdmissionChain } from '../../../admission/admission.js'
import type { Binding } from '../../../api/generated/core-v1.js'
import { defineKind } from '../../../registry/kind.js'
import { Operation } from '../../../registry/write/operation.js'
import { bind } from './bind.js'

/** The old way to bind a Pod, which its own binding subresource has replaced. */
export const binding = defineKind<Binding>({
  group: '',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Binding' }],
  verbs: ['create'],
  virtual: {
    create(object: Binding, context, judge) {
      const { namespace, user, dryRun, services } = context
      const resource = services.registry.resource('', 'pods')
      const operation = new Operation(
        { resource, version: 'v1', namespace, user, dryRun, manager: '' },
        services,
        new AdmissionChain([])
      )
      // no precondition here: the identity of what is created is the server's
      delete object.metadata.uid
      return bind(operation, object.metadata.name ?? '', object, judge)
    }
  }
})
