import { defineKind, type KubeObject } from '../../registry/kind.js'
import { commonColumn } from '../columns.js'
import { type Health, probes } from './component-probes.js'

interface ComponentStatus extends KubeObject {
  conditions?: Health[]
}

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
  columns: [
    commonColumn('Name'),
    {
      name: 'Status',
      type: 'string',
      description: 'Status of the component conditions',
      value: o => (o.conditions?.some(c => c.type === 'Healthy' && c.status === 'True') ? 'Healthy' : 'Unhealthy')
    },
    {
      name: 'Message',
      type: 'string',
      description: 'Message of the component conditions',
      value: o => o.conditions?.map(c => c.message ?? '').join() ?? ''
    },
    {
      name: 'Error',
      type: 'string',
      description: 'Error of the component conditions',
      value: o => o.conditions?.map(c => c.error ?? '').join() ?? ''
    }
  ]
})
