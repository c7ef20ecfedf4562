import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kubernetesEnvironment } from '../kubernetes-environment.js'
import { compile } from '../program.js'
import { intType, listType, stringType } from '../types.js'
import { ArrayList, type Value } from '../values/value.js'

const environment = kubernetesEnvironment.extend(
  new Map([
    ['s', stringType],
    ['n', intType],
    ['l', listType(stringType)]
  ])
)
/** A string of at most 100 characters, and a list of at most 10 strings of at most 20 characters. */
const sizes: Record<string, { min: number; max: number }> = {
  s: { min: 0, max: 100 },
  l: { min: 0, max: 10 },
  'l.@items': { min: 0, max: 20 }
}

function estimated(expression: string) {
  const { program, issues } = compile(expression, environment)
  assert.ok(program, issues)
  return program.estimateCost(path => sizes[path.join('.')])
}

/** Expressions and cel-go's estimates. */
const table: [expression: string, min: number, max: number][] = [
  ['n', 1, 1],
  ['n + 1 > 2', 3, 3],
  ["s == 'abc'", 2, 2],
  ["s.contains('a')", 1, 11],
  ['n > 1 ? s.size() : n', 3, 4],
  ['n > 1 && n < 3', 2, 4],
  ["l.all(x, x == 'a')", 2, 52],
  ["l.exists(x, x.startsWith('ab'))", 2, 62],
  ['[n, 2]', 11, 11],
  ["{'a': n}", 31, 31]
]
for (const [expression, min, max] of table)
  test(`${expression} costs ${min} to ${max}`, () => assert.deepEqual(estimated(expression), { min, max }))

test('the actual cost is within the estimate', () => {
  const values: Record<string, Value> = { s: 'x'.repeat(100), n: 2n, l: new ArrayList(Array(10).fill('y'.repeat(20))) }
  for (const [expression] of table) {
    const { program } = compile(expression, environment)
    const { cost } = program!.evaluate(name => values[name])
    const { min, max } = estimated(expression)
    assert.ok(cost >= min && cost <= max, `${expression}: ${cost} is not within ${min} and ${max}`)
  }
})

test('without declared sizes the maximum cost is unlimited', () => {
  const { program } = compile('l.all(x, l.all(y, x != y))', environment)
  assert.equal(program!.estimateCost().max, 2 ** 64)
})
