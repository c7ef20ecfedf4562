import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Authorizer, aboutResource, type Decision } from '../../apimachinery/request/authorization.js'
import { counted } from './counted.js'

const user = { name: 'u', groups: [] }
const question = aboutResource({ user, verb: 'get', group: '', resource: 'pods' })
const cases: readonly (readonly [decision: Decision | undefined, allowed: number, denied: number])[] = [
  [{ allowed: true, reason: '' }, 1, 0],
  [{ allowed: false, denied: true, reason: '' }, 0, 1],
  [{ allowed: false, reason: 'no opinion' }, 0, 0],
  [undefined, 0, 0]
]

test('decisions that allow or deny are counted, whether they come at once or later', async () => {
  for (const [decision, allowed, denied] of cases)
    for (const late of [false, true]) {
      const counts = { allowed: 0, denied: 0 }
      const authorizer = counted('a', { authorize: () => (late ? Promise.resolve(decision) : decision) }, counts)
      const answer = authorizer.authorize(question)
      assert.equal(answer instanceof Promise, late)
      assert.equal(await answer, decision)
      assert.deepEqual(counts, { allowed, denied })
    }
})

test('the rules of a user are those of the authorizer, or none', () => {
  const rules = { resourceRules: [], nonResourceRules: [{ verbs: ['get'] }], incomplete: true, problems: [] }
  const authorizer: Authorizer = { authorize: () => undefined }
  const counts = { allowed: 0, denied: 0 }
  assert.equal(counted('a', { ...authorizer, rulesFor: () => rules }, counts).rulesFor!(user, 'default'), rules)
  assert.deepEqual(counted('a', authorizer, counts).rulesFor!(user, 'default'), {
    resourceRules: [],
    nonResourceRules: [],
    incomplete: false,
    problems: []
  })
})
