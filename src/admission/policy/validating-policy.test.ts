/** What a ValidatingAdmissionPolicy says of a request, without a server. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import { compileValidatingPolicy, evaluatePolicy } from './validating-policy.js'

const views: any = {
  object: jsonValue({ a: 1 }),
  oldObject: null,
  namespaceObject: null,
  conditionRequest: jsonValue({ name: 'condition' }),
  request: jsonValue({ name: 'request' })
}

const evaluated = (spec: any) => evaluatePolicy({ spec, compiled: compileValidatingPolicy(spec) } as any, views, null)
async function verdict(spec: any) {
  const { cost: _, ...verdict } = await evaluated(spec)
  return verdict
}
const refusals = async (spec: object) => (await verdict(spec)).refusals
const approval = { refusals: [], failures: [], annotations: [] }
const error = (expression: string, key: string) => `expression '${expression}' resulted in error: no such key: ${key}`
const ten = '[1,2,3,4,5,6,7,8,9,10]'
const much = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, a + b + c + d > 0))))`
const dear = Array.from({ length: 130 }, () => ({ expression: much }))
const budget = 'validation failed due to running out of cost budget, no further validation rules will be run'

describe('the cost', () => {
  it('is that of validations and annotations, and the budget when that is exceeded', async () => {
    const validations = [{ expression: 'object.a == 1' }]
    const { cost } = await evaluated({ validations })
    assert.ok(cost > 0)
    const auditAnnotations = [{ key: 'a', valueExpression: 'string(object.a)' }]
    assert.ok((await evaluated({ validations, auditAnnotations })).cost > cost)
    assert.equal((await evaluated({ validations: dear })).cost, 10_000_000)
  })
})

describe('a validation', () => {
  it('refuses when its expression is not true, with its message or its expression', async () => {
    assert.deepEqual(await verdict({ validations: [{ expression: 'object.a == 1' }] }), approval)
    assert.deepEqual(await verdict({}), approval)
    assert.deepEqual(
      await refusals({
        validations: [
          { expression: 'true' },
          { expression: ' object.a == 2 ' },
          { expression: 'false', message: ' no ', reason: 'Forbidden' },
          { expression: 'false', message: '  ' }
        ]
      }),
      [
        { message: 'failed expression: object.a == 2', reason: undefined, index: 1 },
        { message: 'no', reason: 'Forbidden', index: 2 },
        { message: 'failed expression: false', reason: undefined, index: 3 }
      ]
    )
  })

  it('has the message that its expression makes, if that is a line of text', async () => {
    const message = async (messageExpression: string) =>
      (await refusals({ validations: [{ expression: 'false', message: 'no', messageExpression }] }))[0]!.message
    assert.equal(await message('" " + string(object.a) + " "'), '1')
    assert.equal(await message('""'), 'no')
    assert.equal(await message('"a\\nb"'), 'no')
    assert.equal(await message('object.b'), 'no')
    assert.equal(await message('request.name'), 'request')
    const long = (bytes: number) => `"${'x'.repeat(bytes)}"`
    assert.equal((await message(long(5 * 1024))).length, 5 * 1024)
    assert.equal(await message(long(5 * 1024 + 1)), 'no')
  })

  it('that fails refuses, unless failures are ignored', async () => {
    const validations = [{ expression: 'object.b == 1' }, { expression: 'false' }]
    for (const failurePolicy of ['Fail', undefined])
      assert.deepEqual(await refusals({ validations, failurePolicy }), [
        { message: error('object.b == 1', 'b'), index: 0 },
        { message: 'failed expression: false', reason: undefined, index: 1 }
      ])
    assert.deepEqual(await refusals({ validations, failurePolicy: 'Ignore' }), [
      { message: 'failed expression: false', reason: undefined, index: 1 }
    ])
  })

  it('that costs too much refuses, unless failures are ignored', async () => {
    assert.deepEqual(await refusals({ validations: dear, failurePolicy: 'Fail' }), [{ message: budget }])
    assert.deepEqual(await verdict({ validations: dear, failurePolicy: 'Ignore' }), approval)
  })

  it('whose message costs too much refuses in the place of all validations, unless failures are ignored', async () => {
    const validations = [
      { expression: 'true' },
      ...Array.from({ length: 130 }, () => ({ expression: 'false', messageExpression: `string(${much})` }))
    ]
    const message = `failed messageExpression: ${budget}`
    const found = await refusals({ validations, failurePolicy: 'Fail' })
    assert.deepEqual([found.length, found[0]], [131, { message, index: 0 }])
    assert.deepEqual(await verdict({ validations, failurePolicy: 'Ignore' }), approval)
  })
})

describe('match conditions', () => {
  const validations = [{ expression: 'false' }]
  const matching = (expression: string, failurePolicy: string) =>
    verdict({ validations, failurePolicy, matchConditions: [{ name: 'c', expression }] })

  it('decide whether a policy applies', async () => {
    assert.equal((await matching('object.a == 1', 'Fail')).refusals.length, 1)
    assert.deepEqual(await matching('object.a == 2', 'Fail'), approval)
    assert.deepEqual(await matching('request.name == "request"', 'Fail'), approval)
  })

  it('that fail refuse, unless failures are ignored', async () => {
    assert.deepEqual(await matching('object.b == 1', 'Fail'), {
      ...approval,
      refusals: [{ message: error('object.b == 1', 'b') }]
    })
    assert.deepEqual(await matching('object.b == 1', 'Ignore'), approval)
  })
})

describe('an audit annotation', () => {
  const annotated = (valueExpression: string, failurePolicy = 'Fail') =>
    verdict({ failurePolicy, auditAnnotations: [{ key: 'k', valueExpression }] })

  it('has the text that its expression makes, cut off when it is long', async () => {
    assert.deepEqual((await annotated('" x "')).annotations, [['k', 'x']])
    for (const none of ['null', '""', '"  "']) assert.deepEqual(await annotated(none), approval)
    const long = async (bytes: number) => (await annotated(`"${'x'.repeat(bytes)}"`)).annotations[0]![1].length
    assert.deepEqual([await long(10 * 1024), await long(10 * 1024 + 1)], [10 * 1024, 10 * 1024])
  })

  it('that fails refuses, unless failures are ignored', async () => {
    assert.deepEqual(await annotated('object.b'), { ...approval, failures: [{ message: error('object.b', 'b') }] })
    assert.deepEqual(await annotated('object.b', 'Ignore'), approval)
  })
})

describe('the expressions of a policy', () => {
  it('may ask the authorizer, but for messages', async () => {
    const expression = "authorizer.path('/x').check('get').allowed()"
    const spec: any = {
      validations: [{ expression, messageExpression: `string(${expression})` }],
      variables: [{ name: 'v', expression }],
      auditAnnotations: [{ key: 'k', valueExpression: `string(${expression})` }]
    }
    const { validations, messages, annotations, variables } = compileValidatingPolicy(spec)
    const compiled = [validations[0], messages[0], annotations[0], variables.get('v')].map(found => found?.program !== undefined)
    assert.deepEqual(compiled, [true, false, true, true])
  })

  it('are measured where they are match conditions', async () => {
    const told: unknown[] = []
    const measured = (spec: any) =>
      evaluatePolicy({ spec, compiled: compileValidatingPolicy(spec) } as any, views, null, (_, met) => void told.push(met))
    await measured({ validations: [{ expression: 'true' }], matchConditions: [] })
    await measured({ validations: [{ expression: 'true' }] })
    assert.deepEqual(told, [])
    for (const expression of ['object.a == 1', 'object.a == 2']) await measured({ matchConditions: [{ name: 'c', expression }] })
    assert.deepEqual(told, [true, false])
  })
})
