import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnedRule } from './owned-rule.js'

test('a star covers all, and in place of a resource its subresource of all', () => {
  const rule = new OwnedRule({
    verbs: ['get', '*/x'],
    apiGroups: ['*'],
    resources: ['pods', '*/log'],
    nonResourceURLs: ['/a', '/b/*']
  })
  const cases = [
    ['verb', 'get', true],
    ['verb', 'list', false],
    ['verb', 'a/x', false],
    ['group', 'any', true],
    ['resource', 'pods', true],
    ['resource', 'jobs', false],
    ['resource', 'jobs/status', false],
    ['resource', 'jobs/log', true],
    ['resource', '/log', true],
    ['resource', 'log', false],
    ['url', '/a', true],
    ['url', '/a/b', false],
    ['url', '/b/c', true],
    ['url', '/b', false],
    ['name', 'any', true],
    ['name', undefined, true]
  ] as const
  for (const [dimension, value, covered] of cases) assert.equal(rule.covers(dimension, value), covered, `${dimension} ${value}`)
})

test('each pattern for paths is a comparison', () => {
  const rule = new OwnedRule({ verbs: [], nonResourceURLs: ['/a', '/b/*', '/c*'] })
  assert.deepEqual([rule.effort('url'), rule.effort('verb')], [3, 1])
})
