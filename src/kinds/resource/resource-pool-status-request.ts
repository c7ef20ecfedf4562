import type { ResourcePoolStatusRequest } from '../../apimachinery/api/generated/resource-v1alpha3.js'
import { Path } from '../../apimachinery/validation/field.js'
import { usualUpdateChecks } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { validateImmutable } from '../immutable.js'
import { validateDriverName } from '../storage/driver-name.js'
import { validatePoolName } from './claim-status.js'

const maxLimit = 1000

export const resourcePoolStatusRequest = defineKind<ResourcePoolStatusRequest>({
  group: 'resource.k8s.io',
  kind: 'ResourcePoolStatusRequest',
  resource: 'resourcepoolstatusrequests',
  namespaced: false,
  versions: [
    {
      name: 'v1alpha3',
      type: 'resource.v1alpha3.ResourcePoolStatusRequest',
      served: false,
      deprecation: 'resource.k8s.io/v1alpha3 ResourcePoolStatusRequest is deprecated in v1.39+, unavailable in v1.42+'
    }
  ],
  strategy: {
    allowUnconditionalUpdate: false,
    default(o) {
      o.spec.limit ??= 100
    },
    prepareForCreate(o) {
      delete o.status
    },
    // an update must not change the specification, whose rules are not looked at again
    updateChecks: usualUpdateChecks,
    validate({ spec }, errors, _, old) {
      if (old) return
      const at = Path.of('spec')
      validateDriverName(spec.driver, at.child('driver'), errors)
      if (spec.poolName !== undefined) validatePoolName(spec.poolName, at.child('poolName'), errors)
      const { limit } = spec
      if (limit !== undefined && limit < 1) errors.invalid(at.child('limit'), limit, 'must be greater than or equal to 1')
      if (limit !== undefined && limit > maxLimit)
        errors.invalid(at.child('limit'), limit, `must be less than or equal to ${maxLimit}`)
    },
    // the error has no value
    validateUpdate: (o, old, errors) => validateImmutable('spec', o.spec, old.spec, errors, () => null)
  },
  deletion: { returnsObject: true },
  subresources: { status: { metadata: 'reset' } }
})
