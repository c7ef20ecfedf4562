/** Whom bindings concern, and what they allow. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule, RoleRef, Subject } from '../../../apimachinery/api/generated/rbac-v1.js'
import { aboutResource, type Decision } from '../../../apimachinery/request/authorization.js'
import { rbacAuthorizer } from './authorizer.js'
import type { RbacPolicy } from './policy.js'
import { bindingOf, Subjects } from './subjects.js'

const role = (name: string): RoleRef => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name })
const reads: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const roles: Readonly<Record<string, readonly PolicyRule[]>> = {
  reader: [{ ...reads, verbs: ['list'] }, reads],
  paths: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
  none: []
}

type Bound = readonly [namespace: string, name: string, role: string, ...subjects: Subject[]]

function authorizerOf(...bound: Bound[]) {
  const spaces = new Map<string, Subjects>([['', new Subjects()]])
  for (const [namespace, name, roleName, ...subjects] of bound) {
    if (!spaces.has(namespace)) spaces.set(namespace, new Subjects())
    spaces.get(namespace)!.set(bindingOf(namespace, { metadata: { name }, roleRef: role(roleName), subjects }))
  }
  const policy = {
    everywhere: spaces.get(''),
    within: (namespace: string) => spaces.get(namespace),
    rulesOf: ({ name }: RoleRef) => roles[name],
    rulesFor: () => ({ rules: bound.flatMap(([, , name]) => roles[name] ?? []), unresolved: [role('gone')] })
  }
  return rbacAuthorizer(policy as unknown as RbacPolicy)
}

const toUser = (name: string): Subject => ({ kind: 'User', name })
const toGroup = (name: string): Subject => ({ kind: 'Group', name })
const toAccount = (name: string, namespace?: string): Subject => ({ kind: 'ServiceAccount', name, namespace })

function decide(bound: readonly Bound[], name: string, groups: readonly string[] = [], namespace = 'ns') {
  const question = aboutResource({ user: { name, groups }, verb: 'get', group: '', resource: 'pods', namespace })
  return authorizerOf(...bound).authorize(question) as Decision | undefined
}

describe('a binding', () => {
  const cases: readonly (readonly [subject: Subject, user: string, groups: string[], concerned: boolean])[] = [
    [toUser('ann'), 'ann', [], true],
    [toUser('ann'), 'bob', ['ann'], false],
    [toGroup('team'), 'ann', ['x', 'team'], true],
    [toGroup('team'), 'team', [], false],
    [toAccount('s'), 'system:serviceaccount:ns:s', [], true],
    [toAccount('s'), 'system:serviceaccount:other:s', [], false],
    [toAccount('s', 'other'), 'system:serviceaccount:other:s', [], true],
    [toAccount('s', 'other'), 'system:serviceaccount:ns:s', [], false],
    [toAccount('s'), 's', [], false],
    [{ kind: 'Robot', name: 'ann' }, 'ann', ['ann'], false],
    [{ kind: 'Robot', name: 's' }, 'system:serviceaccount:ns:s', [], false]
  ]
  for (const [subject, user, groups, concerned] of cases)
    it(`to ${subject.kind} ${subject.namespace ?? ''}/${subject.name} ${concerned ? 'concerns' : 'does not concern'} ${user} of [${groups}]`, () => {
      assert.equal(decide([['ns', 'b', 'reader', subject]], user, groups)?.allowed ?? false, concerned)
    })

  it('of the whole cluster concerns no service account without a namespace', () => {
    assert.equal(decide([['', 'b', 'reader', toAccount('s')]], 'system:serviceaccount::s'), undefined)
    assert.equal(decide([['', 'b', 'reader', toAccount('s', 'ns')]], 'system:serviceaccount:ns:s')!.allowed, true)
  })

  it('concerns its own namespace, or all', () => {
    assert.equal(decide([['other', 'b', 'reader', toUser('ann')]], 'ann'), undefined)
    assert.equal(decide([['ns', 'b', 'reader', toUser('ann')]], 'ann', [], ''), undefined)
    for (const namespace of ['', 'ns', 'other'])
      assert.equal(decide([['', 'b', 'reader', toUser('ann')]], 'ann', [], namespace)!.allowed, true)
  })

  it('grants what its role allows', () => {
    assert.equal(decide([['ns', 'b', 'none', toUser('ann')]], 'ann'), undefined)
    assert.equal(decide([['ns', 'b', 'paths', toUser('ann')]], 'ann'), undefined)
  })

  it('to a role that is gone is the reason of a refusal, unless another allows', () => {
    const gone: Bound = ['ns', 'a', 'gone', toUser('ann')]
    const reason = 'RBAC: role.rbac.authorization.k8s.io "gone" not found'
    assert.deepEqual(decide([gone], 'ann'), { allowed: false, reason })
    assert.equal(decide([gone, ['ns', 'b', 'reader', toUser('ann')]], 'ann')!.allowed, true)
  })

  it('is named by the reason of the decision, with its first subject that concerns the user', () => {
    const by = (binding: string, subject: string) => `RBAC: allowed by ${binding} of Role "reader" to ${subject}`
    const local = 'RoleBinding "b/ns"'
    const reason = (...bound: Bound[]) => decide(bound, 'ann', ['one', 'two'])!.reason
    assert.equal(reason(['ns', 'b', 'reader', toUser('bob'), toUser('ann')]), by(local, 'User "ann"'))
    assert.equal(reason(['ns', 'b', 'reader', toGroup('two'), toUser('ann')]), by(local, 'Group "two"'))
    assert.equal(reason(['ns', 'b', 'reader', toGroup('three'), toGroup('two'), toGroup('one')]), by(local, 'Group "two"'))
    assert.equal(reason(['ns', 'b', 'reader', { kind: 'Robot', name: 'ann' }, toUser('ann')]), by(local, 'User "ann"'))
    assert.equal(reason(['ns', 'b', 'reader', toUser('two'), toGroup('ann'), toGroup('two')]), by(local, 'Group "two"'))
    assert.equal(reason(['', 'b', 'reader', toUser('ann')]), by('ClusterRoleBinding "b"', 'User "ann"'))
    const account = decide([['ns', 'b', 'reader', toAccount('s')]], 'system:serviceaccount:ns:s')!.reason
    assert.equal(account, by(local, 'ServiceAccount "s/ns"'))
  })
})

describe('the bindings of a namespace', () => {
  const names = (subjects: Subjects) => subjects.bindingsOf({ name: 'ann', groups: ['team'] }).map(({ name }) => name)
  const add = (subjects: Subjects, name: string, ...to: Subject[]) =>
    subjects.set(bindingOf('ns', { metadata: { name }, roleRef: role('reader'), subjects: to }))

  it('are found by user and groups, sorted by name, each once', () => {
    const subjects = new Subjects()
    add(subjects, 'c', toUser('ann'), toUser('ann'), toGroup('team'))
    add(subjects, 'a', toGroup('team'))
    add(subjects, 'b', toUser('ann'))
    add(subjects, 'd', toUser('bob'))
    assert.deepEqual(names(subjects), ['a', 'b', 'c'])
    assert.equal(subjects.ofUser('ann')!.get('c'), subjects.ofUser('ann')!.get('c')!.binding.grants[0])
  })

  it('are forgotten when they change or go', () => {
    const subjects = new Subjects()
    assert.equal(subjects.isEmpty, true)
    add(subjects, 'a', toUser('ann'), { kind: 'Robot', name: 'r' })
    add(subjects, 'b', toUser('ann'))
    assert.equal(subjects.isEmpty, false)
    add(subjects, 'a', toUser('bob'))
    assert.deepEqual(names(subjects), ['b'])
    subjects.remove('b')
    subjects.remove('never')
    assert.deepEqual(names(subjects), [])
    assert.equal(subjects.ofUser('ann'), undefined)
    subjects.remove('a')
    assert.equal(subjects.isEmpty, true)
  })
})

describe('the rules of a user', () => {
  it('are those for resources and those for paths', () => {
    const authorizer = authorizerOf(['ns', 'a', 'reader', toUser('ann')], ['ns', 'b', 'paths', toUser('ann')])
    assert.deepEqual(authorizer.rulesFor!({ name: 'ann', groups: [] }, 'ns'), {
      resourceRules: roles.reader!.map(rule => ({ ...rule, resourceNames: undefined })),
      nonResourceRules: roles.paths,
      incomplete: false,
      problems: ['role.rbac.authorization.k8s.io "gone" not found']
    })
  })
})
