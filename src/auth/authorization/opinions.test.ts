import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Authorizer, aboutResource, type Decision } from '../../apimachinery/request/authorization.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { abacAuthorizer } from './abac/authorizer.js'
import { readPolicies } from './abac/policy.js'
import { opinionsOf } from './opinions.js'
import { compileConditions } from './webhook/compile-conditions.js'
import { eachCondition } from './webhook/match-conditions.js'

const alice = { name: 'alice', groups: [] }
const question = aboutResource({ user: alice, verb: 'get', group: '', resource: 'pods', namespace: 'x' })
const saying = (decision: Decision | undefined): Authorizer => ({ authorize: () => decision })
const asked = (name: string, authorizer: Authorizer) => ({ type: 'Program', name, authorizer })

describe('opinions', () => {
  it('are asked for until one decides', async () => {
    const opinions = await opinionsOf(
      [
        asked('a', saying(undefined)),
        asked('b', saying({ allowed: false, reason: 'not mine', error: 'away' })),
        asked('c', { authorize: async () => ({ allowed: false, denied: true, reason: 'never' }) }),
        asked('d', saying({ allowed: true, reason: '' }))
      ],
      question
    )
    assert.deepEqual(
      opinions.map(({ name, opinion, reason, error }) => [name, opinion, reason, error]),
      [
        ['a', 'no opinion', '', undefined],
        ['b', 'no opinion', 'not mine', 'away'],
        ['c', 'denied', 'never', undefined],
        ['d', 'not asked', '', undefined]
      ]
    )
  })

  it('of ABAC name the line of the policy', async () => {
    const spec = { user: 'alice', namespace: '*', resource: 'pods', apiGroup: '*', readonly: true }
    const policy = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec }
    const other = { ...policy, spec: { ...spec, user: 'bob' } }
    const { policies } = readPolicies('f', `# comment\n${JSON.stringify(other)}\n\n${JSON.stringify(policy)}`)
    const abac = { type: 'ABAC', name: 'abac', authorizer: abacAuthorizer(policies) }
    const [allowed] = await opinionsOf([abac], question)
    assert.equal(allowed!.details?.policy?.line, 4)
    assert.equal(allowed!.details?.policy?.user, 'alice')
    const [refused] = await opinionsOf([abac], { ...question, verb: 'delete' })
    assert.deepEqual([refused!.opinion, refused!.details], ['no opinion', undefined])
  })

  it('of webhooks have the values of all match conditions', () => {
    const expressions = ["request.user == 'alice'", "request.resourceAttributes.verb == 'delete'"]
    const conditions = expressions.map(expression => ({ expression }))
    const compiled = compileConditions(conditions, Path.of('c'), new FieldErrors())
    assert.deepEqual(
      eachCondition(compiled, question).map(({ expression, value }) => [expression, value]),
      [
        [expressions[0], true],
        [expressions[1], false]
      ]
    )
    const failing = compileConditions([{ expression: "request.extra['a'][0] == 'b'" }], Path.of('c'), new FieldErrors())
    assert.match(String(eachCondition(failing, question)[0]!.value), /no such key/)
  })
})
