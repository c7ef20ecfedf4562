import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AuthorizationAttributes, aboutResource } from '../../../apimachinery/request/authorization.js'
import { UserError } from '../../../util/user-error.js'
import { abacAuthorizer } from './authorizer.js'
import { readPolicies } from './policy.js'

const head = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy' }
const policies = (...specs: object[]) =>
  readPolicies('f', specs.map(spec => JSON.stringify({ ...head, spec })).join('\n')).policies
const old = (...lines: object[]) => readPolicies('f', lines.map(line => JSON.stringify(line)).join('\n')).policies

const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] }
const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
const about = (more: Partial<AuthorizationAttributes> = {}) =>
  aboutResource({ user: alice, verb: 'create', group: 'apps', resource: 'deployments', namespace: 'n', ...more })
const to = (path: string, more: Partial<AuthorizationAttributes> = {}) => ({ ...about(more), isResourceRequest: false, path })

const all = { namespace: '*', resource: '*', apiGroup: '*' }
const exact = { user: 'alice', namespace: 'n', resource: 'deployments', apiGroup: 'apps' }
const allows = (given: ReturnType<typeof policies>, question: AuthorizationAttributes): boolean => {
  const decision = abacAuthorizer(given).authorize(question) as { allowed: boolean; reason: string }
  assert.equal(decision.reason, decision.allowed ? '' : 'No policy matched.')
  return decision.allowed
}

describe('a policy', () => {
  it('matches namespace, resource and group exactly, or any by *', () => {
    assert.ok(allows(policies(exact), about()))
    for (const other of [{ namespace: 'm' }, { resource: 'pods' }, { group: '' }, { namespace: '' }] as const)
      assert.ok(!allows(policies(exact), about(other)), JSON.stringify(other))
    for (const [field, other] of [
      ['namespace', { namespace: '' }],
      ['resource', { resource: 'pods' }],
      ['apiGroup', { group: '' }]
    ] as const) {
      assert.ok(allows(policies({ ...exact, [field]: '*' }), about(other)), field)
      assert.ok(!allows(policies({ ...exact, [field]: undefined }), about()), `without ${field}`)
    }
  })

  it('is for a user, a group, or a user in a group', () => {
    for (const [subject, expected] of [
      [{ user: 'alice' }, true],
      [{ user: 'bob' }, false],
      [{ group: 'dev' }, true],
      [{ group: 'ops' }, false],
      [{ user: 'alice', group: 'dev' }, true],
      [{ user: 'alice', group: 'ops' }, false],
      [{ user: 'bob', group: 'dev' }, false],
      [{}, false]
    ] as const)
      assert.equal(allows(policies({ ...all, ...subject }), about()), expected, JSON.stringify(subject))
  })

  it('for all users or groups is for those who are authenticated', () => {
    for (const subject of [{ user: '*' }, { group: '*' }, { user: 'bob', group: '*' }, { user: '*', group: 'x' }]) {
      assert.ok(allows(policies({ ...all, ...subject }), about()), JSON.stringify(subject))
      assert.ok(!allows(policies({ ...all, ...subject }), about({ user: nobody })), JSON.stringify(subject))
    }
    assert.ok(allows(policies({ ...all, group: 'system:unauthenticated' }), about({ user: nobody })))
  })

  it('that is readonly allows get, list and watch', () => {
    const readonly = policies({ ...exact, readonly: true })
    for (const verb of ['get', 'list', 'watch']) assert.ok(allows(readonly, about({ verb })), verb)
    for (const verb of ['create', 'update', 'patch', 'delete', 'deletecollection', 'impersonate', ''])
      assert.ok(!allows(readonly, about({ verb })), verb)
  })

  it('matches other paths exactly, or by their beginning', () => {
    const paths = (nonResourcePath: string) => policies({ user: 'alice', nonResourcePath })
    assert.ok(allows(paths('/api'), to('/api')))
    assert.ok(!allows(paths('/api'), to('/api/v1')))
    assert.ok(allows(paths('/api*'), to('/api/v1')))
    assert.ok(allows(paths('/api/**'), to('/api/v1')))
    assert.ok(!allows(paths('/api/*'), to('/api')))
    assert.ok(allows(paths('*'), to('/x')))
    assert.ok(!allows(paths('*'), about({ path: '/x' })), 'a request for a resource')
    assert.ok(!allows(policies({ user: 'alice', ...all }), to('/x')), 'a policy for resources')
    assert.ok(!allows(policies({ user: 'alice', nonResourcePath: '*', readonly: true }), to('/x', { verb: 'post' })))
  })

  it('is one of several', () => {
    const several = policies({ ...exact, user: 'bob' }, exact)
    assert.ok(allows(several, about()))
    assert.ok(!allows([], about()))
  })

  it('in the old form matches what it leaves out, and authenticated users only', () => {
    assert.ok(allows(old({ user: 'alice' }), about()))
    assert.ok(allows(old({ user: 'alice' }), to('/x')))
    assert.ok(allows(old({}), about()) && !allows(old({}), about({ user: nobody })))
    for (const subject of [{ user: '*' }, { group: '*' }]) assert.ok(!allows(old(subject), about({ user: nobody })))
    assert.ok(!allows(old({ user: 'bob' }), about()) && !allows(old({ group: 'ops' }), about()))
    assert.ok(allows(old({ group: 'dev' }), about()))
    for (const part of [{ namespace: 'n' }, { resource: 'deployments' }]) {
      assert.ok(allows(old(part), about()))
      assert.ok(!allows(old(part), to('/x')), 'a path')
      assert.ok(!allows(old(part), about({ namespace: 'm', resource: 'pods' })))
    }
    assert.ok(!allows(old({ user: 'alice', readonly: true }), about()))
    assert.ok(allows(old({ ...head, apiVersion: 'abac.authorization.kubernetes.io/v0', user: 'alice' }), about()))
  })
})

describe('the rules of a user', () => {
  const rulesFor = (given: ReturnType<typeof policies>, namespace = 'n') =>
    abacAuthorizer(given).rulesFor!({ name: 'alice', groups: ['dev'] }, namespace)

  it('are the policies of the namespace, those for all namespaces, and for paths', () => {
    const { resourceRules, nonResourceRules, incomplete, problems } = rulesFor(
      policies(
        exact,
        { ...exact, namespace: '*', readonly: true, resource: 'pods' },
        { ...exact, namespace: 'm' },
        { ...exact, user: 'bob' },
        { group: 'dev', namespace: '*', nonResourcePath: '/x', readonly: true },
        { group: 'dev', nonResourcePath: '/y' }
      )
    )
    assert.deepEqual(resourceRules, [
      { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: ['apps'], resources: ['pods'] }
    ])
    assert.deepEqual(nonResourceRules, [{ verbs: ['get', 'list', 'watch'], nonResourceURLs: ['/x'] }])
    assert.deepEqual([incomplete, problems], [false, []])
  })
})

describe('a policy file', () => {
  it('has comments and blank lines', () => {
    const text = `# one\n\n  # two\r\n${JSON.stringify({ ...head, spec: exact })}\r\n   \n`
    const { policies, hasUnversioned } = readPolicies('f', text)
    assert.deepEqual([policies.length, hasUnversioned], [1, false])
  })

  it('tells of lines in the old form', () => {
    assert.ok(readPolicies('f', '{"user":"a"}').hasUnversioned)
    assert.ok(readPolicies('f', '{"kind":"Policy","user":"a"}').hasUnversioned)
  })

  for (const [why, text, message] of [
    [
      'a wrong type',
      `\n${JSON.stringify({ ...head, spec: { user: 7 } })}`,
      /^error reading policy file f, line 2: \{.*user.*: .*number/
    ],
    ['no JSON', '{"user":', /^error reading policy file f, line 1: \{"user":: /],
    [
      'an unknown version',
      JSON.stringify({ ...head, apiVersion: 'abac/v7' }),
      /line 1: .*no kind "Policy" is registered for version "abac\/v7"/
    ],
    [
      'a new policy without a kind',
      JSON.stringify({ ...head, kind: undefined }),
      /converting \(v1beta1.Policy\) to \(v0.Policy\)/
    ],
    [
      'a long line',
      `{"user":"${'a'.repeat(65_536 - '{"user":""}'.length)}"}`,
      /^error reading policy file f: bufio.Scanner: token too long$/
    ]
  ] as const)
    it(`is refused for ${why}`, () => {
      assert.throws(
        () => readPolicies('f', text),
        (error: Error) => error instanceof UserError && message.test(error.message)
      )
    })

  it('may have lines of up to 64 KiB', () => {
    const user = 'a'.repeat(65_535 - '{"user":""}'.length)
    assert.equal(readPolicies('f', JSON.stringify({ user })).policies[0]!.user, user)
  })
})
