import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRulesWithSubjects, Subject } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { FlowBench, infoOf, level, schema, userOf } from '../../testkit/flow-control.js'
import { isAbout, isSubject } from './policy-rule.js'

describe('the subjects of a FlowSchema', () => {
  const matches = (subject: Subject, name: string, ...groups: string[]) => isSubject({ name, groups }, subject)

  it('are users, groups and service accounts', () => {
    const user = (name: string): Subject => ({ kind: 'User', user: { name } })
    assert.ok(matches(user('ann'), 'ann'))
    assert.ok(!matches(user('ann'), 'bob'))
    assert.ok(matches(user('*'), 'bob'))
    const group = (name: string): Subject => ({ kind: 'Group', group: { name } })
    assert.ok(matches(group('g'), 'ann', 'f', 'g'))
    assert.ok(!matches(group('g'), 'ann', 'f'))
    assert.ok(matches(group('*'), 'ann'))
    const account = (namespace: string, name: string): Subject => ({
      kind: 'ServiceAccount',
      serviceAccount: { namespace, name }
    })
    assert.ok(matches(account('n', 'a'), 'system:serviceaccount:n:a'))
    assert.ok(!matches(account('n', 'a'), 'system:serviceaccount:n:ab'))
    assert.ok(matches(account('n', '*'), 'system:serviceaccount:n:b'))
    assert.ok(!matches(account('n', '*'), 'system:serviceaccount:nn:b'))
  })
})

describe('the rules of a FlowSchema', () => {
  const resources = (rule: object): PolicyRulesWithSubjects => ({
    subjects: [],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], ...rule }]
  })
  const paths = (...nonResourceURLs: string[]): PolicyRulesWithSubjects => ({
    subjects: [],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs }]
  })
  const pod = infoOf('/api/v1/namespaces/a/pods/p')

  it('name verbs, groups, resources and namespaces', () => {
    assert.ok(isAbout(resources({}), pod))
    assert.ok(isAbout(resources({ verbs: ['list', 'get'], apiGroups: [''], resources: ['pods'], namespaces: ['a'] }), pod))
    assert.ok(!isAbout(resources({ verbs: ['list'] }), pod))
    assert.ok(!isAbout(resources({ apiGroups: ['apps'] }), pod))
    assert.ok(!isAbout(resources({ resources: ['pods/status'] }), pod))
    assert.ok(isAbout(resources({ resources: ['pods/status'] }), infoOf('/api/v1/namespaces/a/pods/p/status')))
    assert.ok(!isAbout(resources({ namespaces: ['b'] }), pod))
    assert.ok(!isAbout(resources({}), infoOf('/healthz')))
  })

  it('are about what is in no namespace only where they say so', () => {
    const nodes = infoOf('/api/v1/nodes')
    assert.ok(!isAbout(resources({}), nodes))
    assert.ok(isAbout(resources({ clusterScope: true }), nodes))
  })

  it('name paths, and what is below them', () => {
    const about = (url: string, ...urls: string[]) => isAbout(paths(...urls), infoOf(url))
    assert.ok(about('/healthz', '/healthz'))
    assert.ok(about('/healthz/etcd', '/healthz'))
    assert.ok(about('/healthz/etcd', '/healthz/*'))
    assert.ok(!about('/healthzz', '/healthz'))
    assert.ok(!about('/healthz', '/healthz/*'))
    assert.ok(about('/anything', '*'))
    assert.ok(!about('/api/v1/pods', '*'))
  })
})

describe('the FlowSchemas', () => {
  const bench = new FlowBench(100)
  bench.configuration.use(
    [level('l', { queuing: [16, 4, 10] }), level('alone', { queuing: [1, 1, 10] })],
    [
      schema('second', 'l', ['ann', 'bob'], 2000),
      schema('first', 'l', ['bob'], 500),
      schema('b-equal', 'alone', ['cat']),
      schema('a-equal', 'alone', ['cat']),
      schema('dangling', 'missing', ['ann'], 1)
    ]
  )
  const { schemas } = bench.configuration
  const find = (user: string, ...groups: string[]) => schemas.find(userOf(user, ...groups), infoOf('/api/v1/pods')).name

  it('are tried by precedence, then by name; without its level one does not count', () => {
    assert.equal(find('ann'), 'second')
    assert.equal(find('bob'), 'first')
    assert.equal(find('cat'), 'a-equal')
  })

  it('begin with the mandatory one for administrators, and end with the one for all others', () => {
    assert.equal(find('ann', 'system:masters'), 'exempt')
    assert.equal(find('dan'), 'catch-all')
    assert.equal(schemas.find({ name: 'x', groups: [] }, infoOf('/')).name, 'catch-all')
  })

  it('notice that the groups of a user have changed', () => {
    assert.equal(find('eve'), 'catch-all')
    assert.equal(find('eve', 'system:masters'), 'exempt')
    assert.equal(find('eve'), 'catch-all')
  })

  it('make a flow of each user where there are queues to tell them apart', () => {
    const [second, equal] = ['second', 'a-equal'].map(name => schemas.all.find(s => s.name === name)!)
    const [ann, bob] = ['ann', 'bob'].map(name => second!.flowOf(userOf(name), infoOf('/api/v1/pods')))
    assert.equal(ann!.distinguisher, 'ann')
    assert.notDeepEqual(ann!.hand, bob!.hand)
    assert.equal(second!.flowOf(userOf('ann'), infoOf('/api')), ann)
    assert.deepEqual(equal!.flowOf(userOf('ann'), infoOf('/api')), equal!.flowOf(userOf('bob'), infoOf('/api')))
  })

  it('remember a bounded number of users and flows', () => {
    const second = schemas.all.find(s => s.name === 'second')!
    const first = second.flowOf(userOf('u0'), infoOf('/api'))
    for (let i = 1; i < 3000; i++) second.flowOf(userOf(`u${i}`), infoOf('/api'))
    const again = second.flowOf(userOf('u0'), infoOf('/api'))
    assert.notEqual(again, first)
    assert.deepEqual(again.hand, first.hand)
  })
})
