import type { ResourcePoolStatusRequest } from '../../apimachinery/api/generated/resource-v1alpha3.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'

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
  table: {
    columns: builtinColumns<ResourcePoolStatusRequest>('resource.k8s.io/resourcepoolstatusrequests', {
      Driver: o => o.spec.driver,
      Total: o => sum(o, 'totalDevices'),
      Available: o => sum(o, 'availableDevices'),
      Allocated: o => sum(o, 'allocatedDevices'),
      Unavailable: o => sum(o, 'unavailableDevices'),
      Errors: o => sum(o, 'validationError'),
      Pools: o => o.status?.poolCount ?? 0,
      Status: shownStatus,
      Completed: (o, context) => (outcome(o)?.type === 'Complete' ? context.since(outcome(o)!.lastTransitionTime) : '<none>')
    })
  },
  gatedFields: [{ gates: 'DRAPartitionableDevicesType', fields: ['spec.defaultPartitionTypeAttribute'] }],
  strategy: {
    allowUnconditionalUpdate: false,
    default(o) {
      o.spec.limit ??= 100
    },
    prepareForCreate(o) {
      delete o.status
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      columns: false,
      metadata: 'reset',
      validateUpdate({ status }, old, errors) {
        const at = Path.of('status')
        // what is answered stays as it is
        if (old.status)
          validateImmutable(at, status, old.status, errors, () =>
            status ? internalText('resource.v1alpha3.ResourcePoolStatusRequestStatus', status) : null
          )
        else validateConditions(status?.conditions ?? [], at.child('conditions'), errors)
      }
    }
  }
})

const outcome = ({ status }: ResourcePoolStatusRequest) =>
  status?.conditions?.find(condition => ['Complete', 'Failed'].includes(condition.type) && condition.status === 'True')

function shownStatus(o: ResourcePoolStatusRequest): string {
  const { type = 'Pending' } = outcome(o) ?? {}
  const { poolCount = 0, pools = [] } = o.status ?? {}
  return type === 'Complete' && poolCount > pools.length ? `${type} (${pools.length}/${poolCount} pools)` : type
}

type Counted = 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices' | 'validationError'

/** The sum of a field over all pools; of errors, their number. */
function sum(o: ResourcePoolStatusRequest, field: Counted): string {
  if (!o.status || outcome(o)?.type === 'Failed') return '-'
  const count = (value: string | number | undefined) => (typeof value === 'number' ? value : value === undefined ? 0 : 1)
  return String((o.status.pools ?? []).reduce((total, pool) => total + count(pool[field]), 0))
}
