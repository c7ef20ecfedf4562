import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { objectMatches } from './selectors.js'

const without = labelSelectorMatcher({ matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['1'] }] })
const having = labelSelectorMatcher({ matchLabels: { x: '1', y: '' } })
const matches = (selector: typeof without, operation: string, object: object) =>
  objectMatches(selector, { operation, resource: { kind: {} }, subresource: '', object } as never)

test('options, which have no metadata, match no selector', () => {
  assert.equal(matches(without, 'CONNECT', { command: ['a'] }), false)
  assert.equal(matches(without, 'CREATE', { metadata: {} }), true)
})

test('labels that cannot be read count as none, and a null as empty', () => {
  assert.equal(matches(having, 'CREATE', { metadata: { labels: { x: '1', y: null } } }), true)
  for (const labels of [{ x: '1', y: '', z: 5 }, 'x', null, ['1']]) {
    assert.equal(matches(having, 'CREATE', { metadata: { labels } }), false)
    assert.equal(matches(without, 'CREATE', { metadata: { labels } }), true)
  }
})
