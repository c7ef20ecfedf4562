/** The flow schemas and priority levels that every server has, and that are immutable. */
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '../../apimachinery/api/generated/flowcontrol-v1.js'

export const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }]
}
export const groups = (...names: string[]) => names.map(name => ({ kind: 'Group', group: { name } }))
export const everyone = groups('system:unauthenticated', 'system:authenticated')

export const mandatoryFlowSchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: groups('system:masters'), ...everything }]
    }
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: everyone, ...everything }]
    }
  ]
])

export const mandatoryPriorityLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map<
  string,
  PriorityLevelConfigurationSpec
>([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    'catch-all',
    { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 } }
  ]
])
