import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceProblem } from './check-resource.js'

test('a resource that no request can have is refused, with what was meant', () => {
  const cases = [
    ['configmap', 'has no resource "configmap"; did you mean configmaps?'],
    ['cm', 'has no resource "cm"; did you mean configmaps?'],
    ['deployment.apps', 'has no resource "deployment.apps"; did you mean deployments.apps?'],
    ['deployments.app', 'names the group "app", which no resource has; did you mean deployments.apps?'],
    ['pods/statu', 'has no subresource "statu" of pods; did you mean status?'],
    ['configmaps/status', 'has no subresource "status" of configmaps; it has none']
  ]
  for (const [resource, problem] of cases) assert.equal(resourceProblem(resource!), problem)
})

test('a resource that is built in, or may come with a definition, is taken', () => {
  for (const resource of [
    '*',
    '*/status',
    'pods',
    'events.',
    'pods/*',
    'deployments.apps/scale',
    'widgets',
    'pod.example.com',
    'nodes.metrics.k8s.io'
  ])
    assert.equal(resourceProblem(resource), undefined, resource)
})
