import type { ComponentStatus } from '../../apimachinery/api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'

const healthOf = (o: ComponentStatus) => o.conditions?.find(c => c.type === 'Healthy')

export const componentStatus = defineKind<ComponentStatus>({
  group: '',
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  singular: 'componentstatus',
  shortNames: ['cs'],
  nameInErrors: 'componentstatus',
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.ComponentStatus', deprecation: 'v1 ComponentStatus is deprecated in v1.19+' }],
  verbs: ['get', 'list'],
  table: {
    columns: builtinColumns('componentstatuses', {
      Status: o => (healthOf(o) ? (healthOf(o)?.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown'),
      Message: o => healthOf(o)?.message ?? '',
      Error: o => healthOf(o)?.error ?? ''
    })
  },
  computed: { names: ['controller-manager', 'scheduler', 'etcd-0'] }
})
