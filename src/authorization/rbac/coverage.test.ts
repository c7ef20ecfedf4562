import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule } from '../../api/generated/rbac-v1.js'
import { describeRules, uncovered } from './coverage.js'

const rule = (verbs: string[], resources: string[], ...resourceNames: string[]): PolicyRule => ({
  verbs,
  apiGroups: [''],
  resources,
  ...(resourceNames.length > 0 ? { resourceNames } : {})
})
const missing = (owned: PolicyRule[], ...wanted: PolicyRule[]) => describeRules(uncovered(owned, wanted))

describe('what a user lacks', () => {
  it('is told by resource, with all its verbs', () => {
    assert.equal(
      missing([rule(['get'], ['pods'])], rule(['get', 'list', 'watch'], ['secrets', 'pods']), rule(['update'], ['pods'])),
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch" "update"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}'
    )
  })

  it('is nothing where several rules cover the parts', () => {
    assert.equal(missing([rule(['get'], ['pods']), rule(['list'], ['*'])], rule(['get', 'list'], ['pods'])), '')
    assert.equal(missing([rule(['get'], ['*/scale'])], rule(['get'], ['deployments/scale'])), '')
    assert.equal(missing([rule(['get'], ['secrets'], 'a', 'b')], rule(['get'], ['secrets'], 'b')), '')
  })

  it('is everything where only some names are given', () => {
    assert.equal(
      missing([rule(['get'], ['secrets'], 'a')], rule(['get'], ['secrets'])),
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'
    )
  })

  it('is the star where only all that there is today is given', () => {
    assert.equal(
      missing([rule(['get', 'list'], ['pods'])], rule(['*'], ['pods'])),
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'
    )
    const paths = (verbs: string[], ...nonResourceURLs: string[]) => ({ verbs, nonResourceURLs })
    assert.equal(
      missing([paths(['get'], '/logs/*')], paths(['get', 'post'], '/logs/a', '/*')),
      '{NonResourceURLs:["/*"], Verbs:["get"]}\n{NonResourceURLs:["/*"], Verbs:["post"]}\n{NonResourceURLs:["/logs/a"], Verbs:["post"]}'
    )
  })
})
