import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRequestInfo } from '../../apimachinery/request/request-info.js'
import { type Policy, PolicyEvaluator, type PolicyRule } from './policy.js'

const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] }

const level = (rules: readonly PolicyRule[], path: string, method = 'GET') => {
  const [bare, query = ''] = path.split('?')
  return new PolicyEvaluator({ rules }).decide(parseRequestInfo(method, bare!, new URLSearchParams(query)), alice).levelName
}

/** Whether a rule with these fields matches. */
const matches = (rule: Omit<PolicyRule, 'level'>, path: string) => level([{ level: 'Metadata', ...rule }], path) === 'Metadata'

const pod = '/api/v1/namespaces/n/pods/p'

describe('an audit policy', () => {
  it('has the first rule that matches decide', () => {
    const rules: PolicyRule[] = [
      { level: 'None', verbs: ['get'] },
      { level: 'Request', resources: [{ resources: ['pods'] }] },
      { level: 'RequestResponse' }
    ]
    assert.deepEqual(
      [level(rules, pod), level(rules, pod, 'DELETE'), level(rules, '/x', 'POST')],
      ['None', 'Request', 'RequestResponse']
    )
    assert.equal(level([], pod), 'None')
  })

  for (const [what, rule, path, expected] of [
    ['users', { users: ['alice'] }, pod, true],
    ['other users', { users: ['bob'] }, pod, false],
    ['groups', { userGroups: ['ops', 'dev'] }, pod, true],
    ['other groups', { userGroups: ['ops'] }, pod, false],
    ['verbs', { verbs: ['list'] }, '/api/v1/pods', true],
    ['other verbs', { verbs: ['list'] }, pod, false],
    ['namespaces', { namespaces: ['n'] }, pod, true],
    ['other namespaces', { namespaces: ['m'] }, pod, false],
    ['no namespace', { namespaces: [''] }, '/api/v1/nodes', true],
    ['namespaces of paths', { namespaces: [''] }, '/healthz', false],
    ['a group', { resources: [{ group: '' }] }, pod, true],
    ['another group', { resources: [{ group: 'apps' }] }, pod, false],
    ['all groups', { resources: [{ group: '*', resources: ['deployments'] }] }, '/apis/apps/v1/deployments', true],
    ['a resource', { resources: [{ resources: ['pods'] }] }, pod, true],
    ['not its subresources', { resources: [{ resources: ['pods'] }] }, `${pod}/log`, false],
    ['a subresource', { resources: [{ resources: ['pods/log'] }] }, `${pod}/log`, true],
    ['another subresource', { resources: [{ resources: ['pods/log'] }] }, `${pod}/status`, false],
    ['all subresources', { resources: [{ resources: ['pods/*'] }] }, `${pod}/status`, true],
    ['and the resource with them', { resources: [{ resources: ['pods/*'] }] }, pod, true],
    ['a subresource of all', { resources: [{ resources: ['*/status'] }] }, `${pod}/status`, true],
    ['no resource of such a rule', { resources: [{ resources: ['*/status'] }] }, pod, false],
    ['all resources', { resources: [{ resources: ['*'] }] }, `${pod}/exec`, true],
    ['names', { resources: [{ resources: ['pods'], resourceNames: ['p'] }] }, pod, true],
    ['other names', { resources: [{ resources: ['pods'], resourceNames: ['q'] }] }, pod, false],
    ['no resource for paths', { resources: [{ group: '*' }] }, '/healthz', false],
    ['paths', { nonResourceURLs: ['/healthz'] }, '/healthz', true],
    ['longer paths', { nonResourceURLs: ['/healthz'] }, '/healthz/etcd', false],
    ['prefixes of paths', { nonResourceURLs: ['/healthz*'] }, '/healthz/etcd', true],
    ['all paths', { nonResourceURLs: ['*'] }, '/x', true],
    ['no path for resources', { nonResourceURLs: ['*'] }, pod, false]
  ] as const)
    it(`matches ${what}`, () => assert.equal(matches(rule, path), expected))

  it('matches no user and no group of a request without a user', () => {
    const evaluator = new PolicyEvaluator({
      rules: [
        { level: 'Metadata', users: ['alice'] },
        { level: 'Request', userGroups: ['dev'] }
      ]
    })
    assert.equal(evaluator.decide(parseRequestInfo('GET', pod, new URLSearchParams()), undefined).levelName, 'None')
  })

  it('unites the stages that the policy and the rule omit, and lets the rule decide on managed fields', () => {
    const policy: Policy = {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [{ level: 'Metadata', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false }, { level: 'Metadata' }]
    }
    const evaluator = new PolicyEvaluator(policy)
    const decide = (method: string) => evaluator.decide(parseRequestInfo(method, pod, new URLSearchParams()), alice)
    assert.deepEqual([[...decide('GET').omits], decide('GET').omitsManagedFields], [['RequestReceived', 'Panic'], false])
    assert.deepEqual([[...decide('PUT').omits], decide('PUT').omitsManagedFields], [['RequestReceived'], true])
  })
})
