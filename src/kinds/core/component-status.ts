import { defineKind, type KubeObject } from '../../registry/kind.js'
import { commonColumn } from '../columns.js'

interface ComponentStatus extends KubeObject {
  conditions?: { type: string; status: string; message?: string; error?: string }[]
}

/** Of the components that it told about, none is there to be asked: the list stays empty. */
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
