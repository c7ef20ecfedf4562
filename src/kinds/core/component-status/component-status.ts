import { defineKind, type KubeObject } from '../../../registry/kind.js'
import { builtinColumns } from '../../columns.js'
import { type Health, probes } from './probes.js'

interface ComponentStatus extends KubeObject {
  conditions?: Health[]
}

const healthOf = (o: ComponentStatus) => o.conditions?.find(c => c.type === 'Healthy')

export const componentStatus = defineKind<ComponentStatus>({
  group: '',
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  singular: 'componentstatus',
  nameInErrors: 'componentstatus',
  shortNames: ['cs'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.ComponentStatus', deprecation: 'v1 ComponentStatus is deprecated in v1.19+' }],
  verbs: ['get', 'list'],
  computed: {
    names: Object.keys(probes),
    get: async (name, services) => ({ metadata: { name }, conditions: [await probes[name]!(services)] })
  },
  columns: builtinColumns<ComponentStatus>('componentstatuses', {
    Status: o => (healthOf(o) ? (healthOf(o)?.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown'),
    Message: o => healthOf(o)?.message ?? '',
    Error: o => healthOf(o)?.error ?? ''
  })
})
