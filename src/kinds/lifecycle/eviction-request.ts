import type { EvictionRequest } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { evictionStatus } from './columns.js'
import { head, strategy, targetCells } from './common.js'

/** The kind EvictionRequest: somebody wants a Pod evicted (KEP-4563). A controller makes an Eviction of it. */
export const evictionRequest = defineKind<EvictionRequest>({
  ...head,
  kind: 'EvictionRequest',
  resource: 'evictionrequests',
  versions: [{ name: 'v1alpha1', type: 'lifecycle.v1alpha1.EvictionRequest', served: false }],
  table: {
    columns: builtinColumns<EvictionRequest>('lifecycle.k8s.io/evictionrequests', {
      ...targetCells,
      Status: o => evictionStatus(o.status),
      Requester: o => o.spec.requester,
      Intent: o => o.spec.intent
    })
  },
  strategy,
  subresources: {
    status: {
      metadata: 'reset',
      validateUpdate({ status }, _old, errors) {
        validateConditions(status.conditions ?? [], Path.of('status', 'conditions'), errors)
      }
    }
  }
})
