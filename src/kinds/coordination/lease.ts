import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateStrategy } from './coordinated-strategy.js'

export const lease = defineKind<Lease>({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
  versions: [{ name: 'v1', type: 'coordination.v1.Lease' }],
  table: {
    columns: builtinColumns<Lease>('coordination.k8s.io/leases', {
      Holder: o => o.spec.holderIdentity ?? ''
    })
  },
  gatedFields: [
    { gates: 'CoordinatedLeaderElection', fields: ['spec.strategy'] },
    { gates: 'CoordinatedLeaderElection', fields: ['spec.preferredHolder'] }
  ],
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    validate({ spec }, errors) {
      const at = Path.of('spec')
      const { leaseDurationSeconds: seconds, leaseTransitions: transitions, strategy, preferredHolder } = spec
      if (seconds !== undefined && seconds <= 0)
        errors.invalid(at.child('leaseDurationSeconds'), seconds, 'must be greater than 0')
      if (transitions !== undefined && transitions < 0)
        errors.invalid(at.child('leaseTransitions'), transitions, 'must be greater than or equal to 0')
      if (strategy !== undefined) validateStrategy(strategy, at.child('strategy'), errors)
      if (preferredHolder && !strategy)
        errors.forbidden(at.child('preferredHolder'), 'may only be specified if `strategy` is defined')
    }
  }
})
