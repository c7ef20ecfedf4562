import type { Eviction } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { evictionStatus, requesters, responderCells } from './columns.js'
import { validateEvictionStatus } from './eviction-status.js'

/** The kind Eviction: how far the eviction of a Pod is, which its responders perform one after the other (KEP-4563). */
export const eviction = defineKind<Eviction>({
  group: 'lifecycle.k8s.io',
  kind: 'Eviction',
  resource: 'evictions',
  namespaced: true,
  featureGate: 'EvictionRequestAPI',
  versions: [{ name: 'v1alpha1', type: 'lifecycle.v1alpha1.Eviction', served: false }],
  // the beginning of a name is not looked at by itself
  validateName: (name, prefix) => (prefix ? [] : nameIsSubdomain(name, false)),
  generation: true,
  table: {
    columns: builtinColumns<Eviction>('lifecycle.k8s.io/evictions', {
      Target: o => o.spec.target.pod?.name ?? '<unset>',
      'Target Type': o => (o.spec.target.pod ? 'Pod' : '<unset>'),
      Status: o => evictionStatus(o.status),
      Requesters: o => requesters(o.status),
      ...responderCells
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
      validateUpdate({ status }, old, errors, { now }) {
        validateEvictionStatus(status, old.status, now, errors)
      }
    }
  }
})
