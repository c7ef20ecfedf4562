import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionOf, questionOfRefusal, routeOf } from './access-question.js'
import { ApiError } from './error.js'

test('a question survives its address', () => {
  const question = { user: 'a&b', groups: ['x', 'y z'], verb: 'get', resource: 'pods/log', namespace: 'n', name: 'ü', path: '' }
  assert.deepEqual(questionOf(new URL(routeOf(question), 'https://host').searchParams), question)
})

test('reads what was refused from the message of a 403', () => {
  const refused = (message: string) => questionOfRefusal(new ApiError(403, message))
  assert.deepEqual(
    refused('pods is forbidden: User "alice" cannot create resource "pods" in API group "" in the namespace "shop"'),
    {
      user: 'alice',
      verb: 'create',
      resource: 'pods',
      namespace: 'shop'
    }
  )
  assert.deepEqual(
    refused(
      'deployments.apps "x" is forbidden: User "a" cannot patch resource "deployments/scale" in API group "apps" at the cluster scope'
    ),
    { user: 'a', verb: 'patch', resource: 'deployments.apps/scale', namespace: '' }
  )
  assert.deepEqual(refused('forbidden: User "a" cannot get path "/metrics"'), { user: 'a', verb: 'get', path: '/metrics' })
  assert.equal(refused('exceeded quota'), undefined)
  assert.equal(questionOfRefusal(new ApiError(404, 'User "a" cannot get path "/x"')), undefined)
})
