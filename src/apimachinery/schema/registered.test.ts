import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTypeName, isRegistered, notRegistered } from './registered.js'

test('options are registered in every version, and a Status in any at all', () => {
  for (const [apiVersion, kind] of [
    ['apps/v1', 'DeleteOptions'],
    ['v1', 'WatchEvent'],
    ['nope/v1', 'Status'],
    ['v1', 'List'],
    ['apps/v1', 'Deployment']
  ] as const)
    assert.ok(isRegistered(apiVersion, kind), kind)
  for (const [apiVersion, kind] of [
    ['nope/v1', 'DeleteOptions'],
    ['apps/v1', 'List'],
    ['apps/v1', 'Pod']
  ] as const)
    assert.ok(!isRegistered(apiVersion, kind), kind)
  assert.equal(goTypeName('v1beta1', 'PatchOptions'), 'v1.PatchOptions')
  assert.equal(goTypeName('v1beta1', 'Deployment'), 'v1beta1.Deployment')
})

test('the internal version of a group is called so', () => {
  assert.equal(
    notRegistered('apps/v9', 'Pod'),
    'no kind "Pod" is registered for version "apps/v9" in scheme "pkg/runtime/scheme.go:111"'
  )
  assert.equal(
    notRegistered('apps/__internal', 'Pod'),
    'no kind "Pod" is registered for the internal version of group "apps" in scheme "pkg/runtime/scheme.go:111"'
  )
})
