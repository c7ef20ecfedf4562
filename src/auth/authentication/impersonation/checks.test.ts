import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { becomeUser } from './checks.js'

interface Wanted {
  readonly name?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Asks to become a user, with an authorizer that allows the questions that match; returns the user and the questions. */
async function become(wanted: Wanted, constrained: boolean, allowed = /./) {
  const asked: string[] = []
  const demand = async ({ group, resource, subresource, namespace, name }: AuthorizationAttributes) => {
    const question = `${[namespace, group, resource, subresource].filter(Boolean).join('/')} ${name}`
    asked.push(question)
    if (!allowed.test(question)) throw new StatusError({ code: 403, message: question } as never)
  }
  const { name = 'bob', uid = '', groups = [], extra = {} } = wanted
  const about = { name, uid, groups, extra: new Map(Object.entries(extra)) }
  const requester = { name: 'alice', groups: [] }
  const user = await becomeUser(demand, constrained ? 'impersonate:x' : 'impersonate', constrained, about, requester).catch(
    (error: unknown) => {
      if (!(error instanceof StatusError)) throw error
      return error.message
    }
  )
  return { user, asked }
}
const [classic, constrained] = [false, true]
const api = 'authentication.k8s.io'

describe('the permissions for an impersonated user', () => {
  for (const [what, mode, wanted, questions] of [
    ['a user', classic, {}, ['users bob']],
    ['a user by a constrained verb', constrained, {}, [`${api}/users bob`]],
    ['a service account', classic, { name: 'system:serviceaccount:n:a' }, ['n/serviceaccounts a']],
    [
      'a service account by a constrained verb',
      constrained,
      { name: 'system:serviceaccount:n:a' },
      [`n/${api}/serviceaccounts a`]
    ],
    ['a node', classic, { name: 'system:node:n1' }, ['users system:node:n1']],
    ['a node by a constrained verb', constrained, { name: 'system:node:n1' }, [`${api}/nodes n1`]],
    ['a uid', classic, { uid: 'u' }, ['users bob', `${api}/uids u`]],
    ['groups', classic, { groups: ['a', 'b'] }, ['users bob', 'groups a', 'groups b']],
    ['a group by a constrained verb', constrained, { groups: ['a'] }, [`${api}/users bob`, `${api}/groups a`]],
    ['many groups', classic, { groups: ['a', 'b', 'c', 'd'] }, ['users bob', 'groups a', 'groups b', 'groups c', 'groups d']],
    [
      'three groups by a constrained verb',
      constrained,
      { groups: ['a', 'b', 'c'] },
      [`${api}/users bob`, `${api}/groups a`, `${api}/groups b`, `${api}/groups c`]
    ],
    ['four groups by a constrained verb', constrained, { groups: ['a', 'b', 'c', 'd'] }, [`${api}/users bob`, `${api}/groups *`]],
    ['the privileged group', classic, { groups: ['system:masters'] }, ['users bob', 'groups system:masters']],
    ['extra values', classic, { extra: { k: ['v', 'w'] } }, ['users bob', `${api}/userextras/k v`, `${api}/userextras/k w`]],
    [
      'three extra values by a constrained verb',
      constrained,
      { extra: { 'a.b/k': ['v', 'w'], 'a.b/c': ['x'] } },
      [`${api}/users bob`, `${api}/userextras/a.b/k v`, `${api}/userextras/a.b/k w`, `${api}/userextras/a.b/c x`]
    ],
    [
      'four extra values by a constrained verb',
      constrained,
      { extra: { 'a.b/k': ['v', 'w'], 'a.b/c': ['x', 'y'] } },
      [`${api}/users bob`, `${api}/userextras/* *`]
    ],
    [
      'odd extra values',
      classic,
      { extra: { 'A b': [''], '': ['v'] } },
      ['users bob', `${api}/userextras/A b `, `${api}/userextras v`]
    ]
  ] as const)
    it(`are asked for ${what}`, async () => {
      const { user, asked } = await become(wanted, mode)
      assert.equal(typeof user, 'object')
      assert.deepEqual(asked, questions)
      // each is needed; where all groups or values were asked for, each of them may be allowed instead
      for (const [i, question] of questions.entries()) {
        const others = questions.filter((_, at) => at !== i).map(other => other.replace(/[.*]/g, '\\$&'))
        const refused = await become(wanted, mode, new RegExp(`^(?:${others.join('|')})$`))
        assert.equal(typeof refused.user, 'string')
        assert.equal(refused.asked[i], question)
      }
    })

  it('may be given for each of many groups or extra values, instead of all', async () => {
    for (const wanted of [{ groups: ['a', 'b', 'c', 'd'] }, { extra: { 'a.b/k': ['a', 'b', 'c', 'd'] } }]) {
      const { user, asked } = await become(wanted, constrained, /[^*]$/)
      assert.equal(typeof user, 'object')
      assert.equal(asked.length, 6)
      assert.match(asked[1]!, /\*$/)
    }
  })

  for (const [what, wanted, message] of [
    [
      'an empty group',
      { groups: ['a', ''] },
      /groups\.authentication\.k8s\.io is forbidden: .*: impersonating the empty string group is not allowed/
    ],
    ['the privileged group', { groups: ['a', 'system:masters'] }, /impersonating the system:masters group is not allowed/],
    ['an empty key', { extra: { '': ['v'] } }, /impersonating the empty string key in extra is not allowed/],
    [
      'a malformed key',
      { extra: { 'a b': ['v'] } },
      /impersonating an invalid key in extra is not allowed: extra\.key: Invalid value/
    ],
    [
      'a key with capitals',
      { extra: { 'a.b/Key': ['v'] } },
      /impersonating a non-lowercase key in extra is not allowed: "a\.b\/Key"/
    ],
    ['an empty value', { extra: { 'a.b/key': ['v', ''] } }, /impersonating the empty string value in extra is not allowed/]
  ] as const)
    it(`are never given by a constrained verb for ${what}, only by the classic one`, async () => {
      const { user } = await become(wanted, constrained)
      assert.match(String(user), message)
      assert.equal(typeof (await become(wanted, classic)).user, 'object')
    })
})

describe('an impersonated user', () => {
  for (const [what, mode, wanted, user] of [
    ['a user', classic, {}, { name: 'bob', uid: '', groups: ['system:authenticated'] }],
    [
      'a user with all',
      constrained,
      { uid: 'u', groups: ['g'], extra: { 'a.b/k': ['v'] } },
      { name: 'bob', uid: 'u', groups: ['g', 'system:authenticated'], extra: { 'a.b/k': ['v'] } }
    ],
    [
      'a node',
      constrained,
      { name: 'system:node:n1' },
      { name: 'system:node:n1', uid: '', groups: ['system:nodes', 'system:authenticated'] }
    ],
    [
      'a node by name',
      classic,
      { name: 'system:node:n1' },
      { name: 'system:node:n1', uid: '', groups: ['system:authenticated'] }
    ],
    [
      'a service account with groups of its own',
      classic,
      { name: 'system:serviceaccount:n:a', groups: ['g'] },
      { name: 'system:serviceaccount:n:a', uid: '', groups: ['g', 'system:authenticated'] }
    ],
    [
      'the anonymous user',
      classic,
      { name: 'system:anonymous' },
      { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] }
    ],
    [
      'one who is authenticated already',
      classic,
      { groups: ['system:authenticated', 'g'] },
      { name: 'bob', uid: '', groups: ['system:authenticated', 'g'] }
    ],
    [
      'one who is not authenticated',
      classic,
      { groups: ['system:unauthenticated'] },
      { name: 'bob', uid: '', groups: ['system:unauthenticated'] }
    ],
    [
      'the anonymous user, authenticated',
      classic,
      { name: 'system:anonymous', groups: ['system:authenticated'] },
      { name: 'system:anonymous', uid: '', groups: ['system:authenticated', 'system:unauthenticated'] }
    ]
  ] as const)
    it(`is ${what}`, async () => assert.deepEqual((await become(wanted, mode)).user, user))
})
