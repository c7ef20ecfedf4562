import type { Binding } from '../../apimachinery/api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'

/** The old way to bind a Pod to a node, which the Pod's binding subresource has replaced. */
export const binding = defineKind<Binding>({
  group: '',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Binding' }],
  verbs: ['create'],
  virtual: true
})
