import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Authorizer, aboutResource, type Decision } from '../../apimachinery/request/authorization.js'
import { unionAuthorizer } from './union.js'

const question = aboutResource({ user: { name: 'u', groups: [] }, verb: 'get', group: '', resource: 'pods' })

const allows: Decision = { allowed: true, reason: 'allows' }
const denies: Decision = { allowed: false, denied: true, reason: 'denies', error: 'late' }
const shrugs: Decision = { allowed: false, reason: 'shrugs' }
const fails: Decision = { allowed: false, reason: '', error: 'fails' }

type Given = Decision | undefined

/** Asks authorizers that answer at once, and the same with answers that have to be waited for. */
function check(decisions: readonly Given[], expected: Decision, asked = decisions.length) {
  const ways: ((decision: Given) => Given | Promise<Given>)[] = [decision => decision, async decision => decision]
  return Promise.all(
    ways.map(async way => {
      let count = 0
      const authorizers = decisions.map(
        (decision): Authorizer => ({
          authorize() {
            count++
            return way(decision)
          }
        })
      )
      assert.deepEqual(await unionAuthorizer(authorizers).authorize(question), expected)
      assert.equal(count, asked)
    })
  )
}

describe('several authorizers', () => {
  it('are asked until one allows or denies, whose reason and error count alone', async () => {
    await check([shrugs, fails, allows, denies], allows, 3)
    await check([fails, denies, allows], denies, 2)
    await check([undefined, allows], allows)
  })

  it('refuse with all reasons and errors when none decides', async () => {
    await check([], { allowed: false, reason: '' })
    await check([undefined, { allowed: false, reason: '' }], { allowed: false, reason: '' })
    await check([shrugs], { allowed: false, reason: 'shrugs' })
    await check([fails, { allowed: false, reason: '' }], { allowed: false, reason: '', error: 'fails' })
    await check([shrugs, undefined, { allowed: false, reason: 'too' }], { allowed: false, reason: 'shrugs\ntoo' })
    await check([fails, shrugs, fails, { ...shrugs, error: 'breaks' }], {
      allowed: false,
      reason: 'shrugs\nshrugs',
      error: '[fails, breaks]'
    })
  })

  it('put their names before reasons that decide nothing', async () => {
    const named = (name: string, decision: Given): Authorizer => ({ name, authorize: () => decision })
    const ask = (...authorizers: Authorizer[]) => unionAuthorizer(authorizers).authorize(question)
    assert.deepEqual(await ask(named('a', shrugs), { authorize: () => shrugs }, named('b', { ...shrugs, error: 'breaks' })), {
      allowed: false,
      reason: 'a: shrugs\nshrugs\nb: shrugs',
      error: 'breaks'
    })
    assert.deepEqual(await ask(named('a', fails)), { allowed: false, reason: '', error: 'fails' })
    assert.deepEqual(await ask(named('a', shrugs), named('b', denies)), denies)
    assert.deepEqual(await ask(named('a', allows)), allows)
  })

  it('answer at once unless one has to be waited for', () => {
    const now: Authorizer = { authorize: () => shrugs }
    assert.ok(!(unionAuthorizer([now, now]).authorize(question) instanceof Promise))
    assert.ok(unionAuthorizer([now, { authorize: async () => allows }]).authorize(question) instanceof Promise)
  })

  it('list the rules of all', () => {
    const rule = { verbs: ['get'] }
    const lists = (incomplete: boolean, ...problems: string[]): Authorizer => ({
      authorize: () => undefined,
      rulesFor: () => ({ resourceRules: [rule], nonResourceRules: [rule], incomplete, problems })
    })
    const user = { name: 'u', groups: [] }
    const rulesOf = (...authorizers: Authorizer[]) => unionAuthorizer(authorizers).rulesFor(user, 'ns')
    const none = { resourceRules: [], nonResourceRules: [], incomplete: false, problem: undefined }
    assert.deepEqual(rulesOf(), none)
    assert.deepEqual(rulesOf({ authorize: () => undefined }), none)
    const two = { resourceRules: [rule, rule], nonResourceRules: [rule, rule] }
    assert.deepEqual(rulesOf(lists(false), lists(true)), { ...two, incomplete: true, problem: undefined })
    assert.deepEqual(rulesOf(lists(false, 'a'), lists(false)), { ...two, incomplete: false, problem: 'a' })
    assert.equal(rulesOf(lists(false, 'a', 'b'), lists(false, 'c')).problem, '[a, b, c]')
  })

  it('learn when nobody waits any more', async () => {
    const origin = { signal: new AbortController().signal }
    const seen: unknown[] = []
    const notes = (decision: Given): Authorizer => ({
      async authorize(_, given) {
        seen.push(given?.signal)
        return decision
      }
    })
    await unionAuthorizer([notes(shrugs), notes(undefined)]).authorize(question, origin)
    assert.deepEqual(seen, [origin.signal, origin.signal])
  })
})
