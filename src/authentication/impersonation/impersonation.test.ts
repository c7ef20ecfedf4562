import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Metrics } from '../../instruments/metrics.js'
import { type AuthorizationAttributes, aboutResource } from '../../request/authorization.js'
import type { UserInfo } from '../../request/user.js'
import { StatusError } from '../../status/status.js'
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

  it('gets the refusal of the mode that was allowed before', async () => {
    const { become } = setUp(/^impersonate users bob/)
    await refused(become(['Impersonate-User', 'eve']), /cannot impersonate-on:user-info:list/)
    await become(['Impersonate-User', 'bob'])
    await refused(become(['Impersonate-User', 'eve']), /cannot impersonate resource "users"/)
  })
})
