import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AuthorizationAttributes, aboutResource } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { wantedUser } from './headers.js'
import { Impersonation } from './impersonation.js'
import { ImpersonationMetrics } from './impersonation-metrics.js'

const wanted = (...raw: string[]) =>
  wantedUser(Object.fromEntries(raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), '']] : []))), () => raw)

/** Formats a question to the authorizer as "verb resource name". */
const summary = ({ verb, resource, subresource, namespace, name }: AuthorizationAttributes) =>
  `${verb} ${[namespace, resource, subresource].filter(Boolean).join('/')} ${name}`

const requester: UserInfo = { name: 'alice', groups: [] }

/** An authorizer that allows the questions that match, and records all questions. */
function setUp(allowed: RegExp) {
  const asked: string[] = []
  const authorize = (question: AuthorizationAttributes) => {
    asked.push(summary(question))
    return { allowed: allowed.test(summary(question)), reason: '' }
  }
  const impersonation = new Impersonation({ authorize }, new ImpersonationMetrics(new Metrics()))
  const become = (raw: string[], user = requester) =>
    impersonation.become(wanted(...raw)!, aboutResource({ user, verb: 'list', group: '', resource: 'pods', namespace: 'n' }))
  return { asked, become }
}

const refused = (promise: Promise<unknown>, message: RegExp) =>
  assert.rejects(promise, error => error instanceof StatusError && error.code === 403 && message.test(error.message))

describe('Impersonate headers', () => {
  it('name a user with uid, groups and extra', () => {
    const headers = ['Impersonate-User', 'bob', 'impersonate-group', 'a', 'Impersonate-Group', 'b, c', 'Impersonate-Uid', 'u']
    const found = wanted(...headers, 'Impersonate-Extra-Example.com%2FScope', 'x', 'impersonate-extra-example.com%2fscope', 'y')
    assert.deepEqual(found, { name: 'bob', uid: 'u', groups: ['a', 'b, c'], extra: new Map([['example.com/scope', ['x', 'y']]]) })
  })

  it('are refused without a name', () => {
    assert.throws(() => wanted('Impersonate-Extra-Scope', 'v"'), {
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"scope":[]string{"v\\""}}} without impersonating a user name'
    })
    assert.equal(wanted('Accept', '*/*'), undefined)
    for (const [header, shown] of [
      ['Impersonate-Uid', 'UID:"x", Groups:[]string(nil), Extra:map[string][]string(nil)'],
      ['Impersonate-Group', 'UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)']
    ] as const)
      assert.throws(() => wanted(header, 'x'), {
        message: `requested &user.DefaultInfo{Name:"", ${shown}} without impersonating a user name`
      })
  })

  it('with other names mean nothing', () => {
    assert.equal(wanted('Impersonate-Other', 'x'), undefined)
    const found = wanted('Impersonate-User', 'bob', 'Impersonate-Other', 'x', 'X-Group', 'y', 'Impersonate-Extra', 'z')
    assert.deepEqual(found, { name: 'bob', uid: '', groups: [], extra: new Map() })
  })
})

describe('a requester that impersonates a user', () => {
  it('needs a permission for each attribute of the user', async () => {
    const { asked, become } = setUp(/^impersonate /)
    const { user, constraint } = await become([
      'Impersonate-User',
      'bob',
      'Impersonate-Uid',
      'u',
      'Impersonate-Group',
      'g',
      'Impersonate-Extra-K',
      'v'
    ])
    assert.deepEqual(asked, [
      'impersonate-on:user-info:list n/pods ',
      'impersonate users bob',
      'impersonate uids u',
      'impersonate groups g',
      'impersonate userextras/k v'
    ])
    assert.equal(constraint, '')
    assert.deepEqual(user, { name: 'bob', uid: 'u', groups: ['g', 'system:authenticated'], extra: { k: ['v'] } })
  })

  it('gets the groups of the service account or node', async () => {
    const { become } = setUp(/^impersonate/)
    const groups = async (name: string) => (await become(['Impersonate-User', name])).user.groups
    assert.deepEqual(await groups('system:serviceaccount:n:a'), [
      'system:serviceaccounts',
      'system:serviceaccounts:n',
      'system:authenticated'
    ])
    assert.deepEqual(await groups('system:node:n1'), ['system:nodes', 'system:authenticated'])
    assert.deepEqual(await groups('system:anonymous'), ['system:unauthenticated'])
  })

  it('cannot get the group system:masters by a constrained verb', async () => {
    const { become } = setUp(/^impersonate[:-]/)
    await refused(
      become(['Impersonate-User', 'bob', 'Impersonate-Group', 'system:masters']),
      /^groups\.authentication\.k8s\.io "system:masters" is forbidden: .*: impersonating the system:masters group is not allowed$/
    )
  })

  it('may be a service account that impersonates its own node', async () => {
    const { asked, become } = setUp(/associated-node/)
    const account = (node: string): UserInfo => ({
      name: 'system:serviceaccount:n:agent',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': [node] }
    })
    const { user, constraint } = await become(['Impersonate-User', 'system:node:n1'], account('n1'))
    assert.deepEqual([user.name, constraint], ['system:node:n1', 'impersonate:associated-node'])
    assert.deepEqual(asked, ['impersonate-on:associated-node:list n/pods ', 'impersonate:associated-node nodes *'])
    await refused(become(['Impersonate-User', 'system:node:n1'], account('n2')), /arbitrary-node/)
  })

  const node = 'system:node:n1'
  const agent = { name: 'system:serviceaccount:n:agent', groups: [] }
  const bound = (...nodes: string[]) => ({ ...agent, extra: { 'authentication.kubernetes.io/node-name': nodes } })
  for (const [what, user, raw, modes] of [
    ['a user', requester, ['bob'], ['user-info']],
    ['a user with a group', requester, ['bob', 'Impersonate-Group', 'g'], ['user-info']],
    ['a service account', requester, [agent.name], ['serviceaccount']],
    ['a service account with a group', requester, [agent.name, 'Impersonate-Group', 'g'], []],
    ['a service account with a uid', requester, [agent.name, 'Impersonate-Uid', 'u'], []],
    ['a service account with an extra value', requester, [agent.name, 'Impersonate-Extra-K', 'v'], []],
    ['a node', requester, [node], ['arbitrary-node']],
    ['a node with a group', requester, [node, 'Impersonate-Group', 'g'], []],
    ['a node, by a user who claims it', { ...bound('n1'), name: 'alice' }, [node], ['arbitrary-node']],
    ['a node, by a service account', agent, [node], ['arbitrary-node']],
    ['its node, by a service account', bound('n1'), [node], ['associated-node', 'arbitrary-node']],
    ['its node with a group, by a service account', bound('n1'), [node, 'Impersonate-Group', 'g'], []],
    ['another node, by a service account', bound('n2'), [node], ['arbitrary-node']],
    ['one of two nodes, by a service account', bound('n1', 'n2'), [node], ['arbitrary-node']],
    ['a user, by a service account on no node', bound(), ['bob'], ['user-info']]
  ] as const)
    it(`tries the modes for ${what}`, async () => {
      const { asked, become } = setUp(/^$/)
      await refused(become(['Impersonate-User', ...raw], user), /./)
      const tried = asked.flatMap(question => /^impersonate-on:(.*):list /.exec(question)?.[1] ?? [])
      assert.deepEqual(tried, modes)
      assert.match(asked.at(-1)!, /^impersonate /)
    })

  it('is not let in by another mode when the authorizer breaks', async () => {
    const authorize = async (question: AuthorizationAttributes) => {
      if (question.verb !== 'impersonate') throw new RangeError('a bug')
      return { allowed: true, reason: '' }
    }
    const request = aboutResource({ user: requester, verb: 'list', group: '', resource: 'pods', namespace: 'n' })
    const impersonation = new Impersonation({ authorize }, new ImpersonationMetrics(new Metrics()))
    await assert.rejects(impersonation.become(wanted('Impersonate-User', 'bob')!, request), RangeError)
  })

  it('is remembered with the mode that was allowed, as one of the last 10,000', async () => {
    const { asked, become } = setUp(/^impersonate users/)
    const ask = async (name: string) => {
      asked.length = 0
      await become(['Impersonate-User', 'bob'], { name, groups: [] })
      return asked.length
    }
    assert.equal(await ask('first'), 2)
    for (let i = 0; i < 9999; i++) await ask(`r${i}`)
    assert.equal(await ask('first'), 1)
    for (let i = 0; i < 10_000; i++) await ask(`s${i}`)
    assert.equal(await ask('first'), 2)
  })

  it('gets the refusal of the mode that was allowed before', async () => {
    const { become } = setUp(/^impersonate users bob/)
    await refused(become(['Impersonate-User', 'eve']), /cannot impersonate-on:user-info:list/)
    await become(['Impersonate-User', 'bob'])
    await refused(become(['Impersonate-User', 'eve']), /cannot impersonate resource "users"/)
  })
})
