/** The flow schemas and priority levels that every server creates, and that an administrator may change. */
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  Subject
} from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { everyone, everything, groups } from './mandatory.js'

const queued = (
  nominalConcurrencyShares: number,
  lendablePercent: number,
  queues: number,
  handSize: number
): PriorityLevelConfigurationSpec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
    lendablePercent
  }
})

export const suggestedPriorityLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ['system', queued(30, 33, 64, 6)],
  ['node-high', queued(40, 25, 64, 6)],
  ['leader-election', queued(10, 0, 16, 4)],
  ['workload-high', queued(40, 50, 128, 6)],
  ['workload-low', queued(100, 90, 128, 6)],
  ['global-default', queued(20, 50, 128, 6)]
])

const users = (...names: string[]): Subject[] => names.map(name => ({ kind: 'User', user: { name } }))
const systemAccounts: Subject[] = [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }]
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] }

function schema(
  level: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects
): FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
    rules: [rule]
  }
}

export const suggestedFlowSchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  ['system-nodes', schema('system', 500, 'ByUser', { subjects: groups('system:nodes'), ...everything })],
  [
    'system-node-high',
    schema('node-high', 400, 'ByUser', {
      subjects: groups('system:nodes'),
      resourceRules: [
        { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
        { verbs: ['*'], ...leases }
      ]
    })
  ],
  [
    'probes',
    schema('exempt', 2, undefined, {
      subjects: everyone,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }]
    })
  ],
  [
    'system-leader-election',
    schema('leader-election', 100, 'ByUser', {
      subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...systemAccounts],
      resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }]
    })
  ],
  [
    'kube-controller-manager',
    schema('workload-high', 800, 'ByNamespace', { subjects: users('system:kube-controller-manager'), ...everything })
  ],
  ['kube-scheduler', schema('workload-high', 800, 'ByNamespace', { subjects: users('system:kube-scheduler'), ...everything })],
  ['kube-system-service-accounts', schema('workload-high', 900, 'ByNamespace', { subjects: systemAccounts, ...everything })],
  ['service-accounts', schema('workload-low', 9000, 'ByUser', { subjects: groups('system:serviceaccounts'), ...everything })],
  ['global-default', schema('global-default', 9900, 'ByUser', { subjects: everyone, ...everything })]
])
