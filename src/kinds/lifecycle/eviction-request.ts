import type { EvictionRequest } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { evictionStatus } from './columns.js'

/** The kind EvictionRequest: somebody wants a Pod evicted (KEP-4563). A controller makes an Eviction of it. */
export const evictionRequest = defineKind<EvictionRequest>({
  group: 'lifecycle.k8s.io',
  kind: 'EvictionRequest',
  resource: 'evictionrequests',
  namespaced: true,
  featureGate: 'EvictionRequestAPI',
  versions: [{ name: 'v1alpha1', type: 'lifecycle.v1alpha1.EvictionRequest', served: false }],
  // the beginning of a name is not looked at by itself
  validateName: (name, prefix) => (prefix ? [] : nameIsSubdomain(name, false)),
  generation: true,
  table: {
    columns: builtinColumns<EvictionRequest>('lifecycle.k8s.io/evictionrequests', {
      Target: o => o.spec.target.pod?.name ?? '<unset>',
      'Target Type': o => (o.spec.target.pod ? 'Pod' : '<unset>'),
      Status: o => evictionStatus(o.status),
      Requester: o => o.spec.requester,
      Intent: o => o.spec.intent
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    prepareForCreate(o) {
      o.status = {}
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      validateUpdate({ status }, _old, errors) {
        validateConditions(status.conditions ?? [], Path.of('status', 'conditions'), errors)
      }
    }
  }
})
