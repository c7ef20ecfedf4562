import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseQuery, UnknownExpression } from './jq.js'

const pod = {
  metadata: { name: 'web', annotations: { 'a.b/c': '5s' }, finalizers: ['x', 'y'] },
  status: {
    phase: 'Running',
    podIP: null,
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' }
    ]
  }
}
const asked = (text: string) => parseQuery(text)(pod)

describe('expressions of Stages', () => {
  test('are paths', () => {
    assert.deepEqual(asked('.status.phase'), ['Running'])
    assert.deepEqual(asked('.metadata.annotations["a.b/c"]'), ['5s'])
    assert.deepEqual(asked('.metadata.annotations."a.b/c"'), ['5s'])
    assert.deepEqual(asked('.metadata.finalizers.[]'), ['x', 'y'])
    assert.deepEqual(asked('.metadata.finalizers[-1]'), ['y'])
    assert.deepEqual(asked('.'), [pod])
    assert.deepEqual(asked('.metadata.__proto__'), [])
  })

  test('yield nothing for nulls and for paths that lead nowhere', () => {
    for (const text of [
      '.status.podIP',
      '.status.nothing.at.all',
      '.metadata.name.x',
      '.metadata.name[]',
      '.spec[0]',
      '.spec.[]'
    ])
      assert.deepEqual(asked(text), [], text)
  })

  test('select and compare', () => {
    assert.deepEqual(asked('.status.conditions.[] | select( .type == "Ready" ) | .status'), ['True'])
    assert.deepEqual(asked('.status.conditions[] | select(.type != "Ready" and (.status == "False" or false)) | .type'), [
      'Other'
    ])
    assert.deepEqual(asked('.status.conditions | length >= 2'), [true])
    assert.deepEqual(asked('.status.conditions | length | . == 3 | not'), [true])
    assert.deepEqual(asked('.metadata | has("name")'), [true])
    assert.deepEqual(asked('.metadata.name | startswith("w")'), [true])
    assert.deepEqual(asked('.metadata.labels.x // .metadata.name'), ['web'])
    assert.deepEqual(asked('.metadata.name.x? // "none"'), ['none'])
    assert.deepEqual(asked('.status.conditions.[] | select( (.type | tostring) == "Ready") | -1 < 0'), [true])
  })

  test('are refused where they are not understood', () => {
    for (const text of [
      '',
      '.a = 1',
      'env',
      '.a | test("x")',
      '.a[',
      '.[1:2]',
      '..',
      '{a: 1}',
      '.a | $x',
      `${'('.repeat(100)}.`,
      'constructor'
    ])
      assert.throws(() => parseQuery(text), UnknownExpression, text)
    assert.throws(() => parseQuery('.a | frob(1)'), { message: 'frob is not known' })
  })

  test('yield nothing rather than very much', () => {
    const many = { a: Array.from({ length: 1000 }, () => 1) }
    assert.deepEqual(parseQuery('.a[] == .a[]')(many).length, 0)
  })
})
