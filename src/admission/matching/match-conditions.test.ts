import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admissionEnvironment } from '../../apimachinery/cel/admission-environment.js'
import { dynType } from '../../apimachinery/cel/types.js'
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import { turnsDuring } from '../../testkit/turns.js'
import { BudgetError, compileExpression, evaluateAll } from './evaluation.js'
import { type ConditionsMet, MatchConditions } from './match-conditions.js'

const environment = admissionEnvironment({ authorizer: true })
const values: any = { object: jsonValue({ a: 1 }), oldObject: null, request: null }

function met(failurePolicy: string | undefined, ...expressions: string[]): Promise<ConditionsMet> {
  const conditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }))
  return new MatchConditions(conditions, environment, failurePolicy).met(values)
}

test('all conditions must hold, and one that is false decides even where others fail', async () => {
  const error = "expression 'object.b == 1' resulted in error: no such key: b"
  for (const policy of ['Fail', 'Ignore', undefined]) {
    assert.equal(await met(policy), true)
    assert.equal(await met(policy, 'true', 'object.a == 1'), true)
    assert.equal(await met(policy, 'true', 'object.a == 2'), false)
    assert.equal(await met(policy, 'object.b == 1', 'false'), false)
    assert.deepEqual(await met(policy, 'object.b == 1', 'true'), policy === 'Ignore' ? false : { error })
  }
  const other = "expression 'object.c == 1' resulted in error: no such key: c"
  assert.deepEqual(await met('Fail', 'object.b == 1', 'object.c == 1'), { error: `[${error}, ${other}]` })
})

test('conditions that cost too much are an error, unless failures are ignored', async () => {
  const ten = '[1,2,3,4,5,6,7,8,9,10]'
  const much = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, a + b + c + d > 0))))`
  const error = 'validation failed due to running out of cost budget, no further validation rules will be run'
  assert.equal(await met('Fail', much), true)
  const tooMuch = Array.from({ length: 40 }, () => much)
  assert.deepEqual(await met('Fail', ...tooMuch), { error })
  assert.equal(await met('Ignore', ...tooMuch), false)
})

test('expressions share a budget, to which variables count once', async () => {
  const compiled = (text: string) => compileExpression(text, admissionEnvironment({ authorizer: true }))
  const one = compiled('object.a == 1')
  const { remaining, results } = await evaluateAll([one, undefined, one], values, undefined, 1000)
  assert.deepEqual(results, [{ value: true }, undefined, { value: true }])
  const cost = (1000 - remaining) / 2
  assert.equal((await evaluateAll([one, one], values, undefined, 2 * cost)).remaining, 0)
  await assert.rejects(evaluateAll([one, one], values, undefined, 2 * cost - 1), BudgetError)
  const broken = compiled('object.')
  assert.match((await evaluateAll([broken], values, undefined, 1)).results[0]!.error!, /^compilation error: compilation failed: /)
})

test('a variable costs once, and its error names it', async () => {
  const variables = new Map([
    ['one', compileExpression('object.a == 1', environment)],
    ['missing', compileExpression('object.b', environment)],
    ['broken', compileExpression('object.', environment)]
  ])
  const types = new Map([...variables.keys()].map(name => [name, dynType]))
  const within = admissionEnvironment({ authorizer: true, variables: types })
  const compiled = (text: string) => compileExpression(text, within)
  const spent = async (...texts: string[]) => 1000 - (await evaluateAll(texts.map(compiled), values, variables, 1000)).remaining
  const read = (await spent('variables.one', 'variables.one')) - (await spent('variables.one'))
  const computed = 1000 - (await evaluateAll([variables.get('one')], values, undefined, 1000)).remaining
  assert.ok(read > 0 && computed > 0)
  assert.equal(await spent('variables.one'), read + computed)
  const broken = ['variables.missing', 'variables.broken'].map(compiled)
  const { results } = await evaluateAll(broken, values, variables, 1000)
  const errors = results.map(result => result!.error!.split('compilation failed: ')[0])
  assert.deepEqual(errors, [
    `expression 'variables.missing' resulted in error: composited variable "missing" fails to evaluate: no such key: b`,
    `expression 'variables.broken' resulted in error: composited variable "broken" fails to compile: `
  ])
})

test('others have their turns between expressions', async () => {
  const slow = compileExpression('lists.range(20000).all(i, i >= 0)', environment)
  const count = (length: number) =>
    turnsDuring(() =>
      evaluateAll(
        Array.from({ length }, () => slow),
        values,
        undefined,
        10_000_000
      )
    )
  assert.ok((await count(20)) > (await count(1)) + 2)
})
