import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOfGroup, tagOf } from './operation.js'

test('other characters than letters and digits make the next letter a capital', () => {
  assert.equal(tagOf('', 'v1'), 'core_v1')
  assert.equal(tagOf('rbac.authorization.k8s.io', 'v1'), 'rbacAuthorization_v1')
  assert.equal(tagOf('my-group.example.com', 'v1'), 'myGroupExampleCom_v1')
  assert.equal(idOfGroup('my-3.example'), 'My3Example')
  assert.equal(idOfGroup('3com.example'), 'ComExample')
})
