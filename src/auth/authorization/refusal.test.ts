import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthorizationAttributes, aboutResource } from '../../apimachinery/request/authorization.js'
import { atTheDoor, refusal, refusalWithError } from './refusal.js'

const user = { name: 'alice', groups: [] }
const about = (more: Partial<AuthorizationAttributes> = {}) =>
  aboutResource({ user, verb: 'get', group: 'apps', resource: 'deployments', ...more })
const cannot = 'User "alice" cannot get'

test('a refusal says what the user may not do', () => {
  const cases: readonly (readonly [about: Partial<AuthorizationAttributes>, reason: string, message: string])[] = [
    [{}, '', `deployments.apps is forbidden: ${cannot} resource "deployments" in API group "apps" at the cluster scope`],
    [
      { subresource: 'scale', namespace: 'ns', name: 'web' },
      'why',
      `deployments.apps "web" is forbidden: ${cannot} resource "deployments/scale" in API group "apps" in the namespace "ns": why`
    ],
    [{ isResourceRequest: false, path: '/metrics' }, '', `forbidden: ${cannot} path "/metrics"`],
    [{ isResourceRequest: false, path: '/metrics' }, 'why', `forbidden: ${cannot} path "/metrics": why`]
  ]
  for (const [more, reason, message] of cases) {
    const { status } = refusal(about(more), reason)
    assert.deepEqual([status.code, status.reason, status.message], [403, 'Forbidden', message])
  }
})

test('an error stands before the reason', () => {
  const message = (reason: string, error?: string) =>
    refusalWithError(about(), { allowed: false, reason, error }).status.message!.replace(/^.*cluster scope/, '')
  assert.equal(message(''), '')
  assert.equal(message('reason'), ': reason')
  assert.equal(message('', 'error'), ': error')
  assert.equal(message('reason', 'error'), ': error: reason')
})

test('a refusal at the door has the headers of one', () => {
  assert.deepEqual(atTheDoor(refusal(about(), '')).headers, { 'x-content-type-options': 'nosniff' })
})
