import type { Pod } from '../../api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'

export const pod = defineKind<Pod>({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Pod' }],
  generation: true,
  status: { metadata: 'all' },
  prepareForCreate(o) {
    o.status = { phase: 'Pending' }
  }
})
