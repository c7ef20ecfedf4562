import type { Eviction } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { evictionStatus, requesters, responderCells } from './columns.js'
import { head, strategy, targetCells } from './common.js'
import { validateEvictionStatus } from './eviction-status.js'

/** The kind Eviction: how far the eviction of a Pod is, which its responders perform one after the other (KEP-4563). */
export const eviction = defineKind<Eviction>({
  ...head,
  kind: 'Eviction',
  resource: 'evictions',
  versions: [{ name: 'v1alpha1', type: 'lifecycle.v1alpha1.Eviction', served: false }],
  table: {
    columns: builtinColumns<Eviction>('lifecycle.k8s.io/evictions', {
      ...targetCells,
      Status: o => evictionStatus(o.status),
      Requesters: o => requesters(o.status),
      ...responderCells
    })
  },
  strategy,
  subresources: {
    status: {
      metadata: 'reset',
      validateUpdate({ status }, old, errors, { now }) {
        validateEvictionStatus(status, old.status, now, errors)
      }
    }
  }
})
