import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCreateChecks, usualUpdateChecks } from '../registry/checks.js'
import { builtinKinds } from './index.js'

test('the lists of checks of each kind include all its validation functions', () => {
  for (const { kind, strategy = {} } of builtinKinds) {
    const { createChecks = usualCreateChecks, updateChecks = usualUpdateChecks } = strategy
    for (const check of ['validate', 'validateCreate'] as const)
      if (strategy[check]) assert.ok(createChecks.includes(check), kind)
    for (const check of ['validate', 'validateUpdate'] as const)
      if (strategy[check]) assert.ok(updateChecks.includes(check), kind)
    for (const checks of [createChecks, updateChecks]) assert.equal(new Set(checks).size, checks.length, kind)
  }
})
