import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { alwaysAllow, alwaysDeny } from './always.js'

const user = { name: 'u', groups: [] }
const question = aboutResource({ user, verb: 'get', group: '', resource: 'pods' })

test('AlwaysAllow allows everything, and AlwaysDeny nothing', () => {
  assert.deepEqual(alwaysAllow.authorize(question), { allowed: true, reason: '' })
  assert.deepEqual(alwaysDeny.authorize(question), { allowed: false, reason: 'Everything is forbidden.' })
  assert.deepEqual(alwaysAllow.rulesFor!(user, 'ns'), {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    problems: []
  })
  assert.deepEqual(alwaysDeny.rulesFor!(user, 'ns'), {
    resourceRules: [],
    nonResourceRules: [],
    incomplete: false,
    problems: []
  })
})
