import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goQuote } from '../../../util/go-format.js'
import { kubernetesEnvironment } from '../kubernetes-environment.js'
import { compile } from '../program.js'
import { formatDouble } from '../values/numbers.js'
import { formatDuration, formatTimestamp } from '../values/text.js'
import { CelError, Duration, ListValue, Optional, Timestamp, typeOf, type Value } from '../values/value.js'

/** An expression with the result and cost that kube-apiserver's library computes. */
export type Row = readonly [expression: string, result: string, cost: number | undefined]

/** For rows whose evaluation fails: their cost is meaningless. */
export const any = undefined

/** Registers one test for all rows. */
export function testExpressions(name: string, rows: readonly Row[]): void {
  test(name, () => {
    for (const [expression, result, cost] of rows) {
      const { program, issues } = compile(expression, kubernetesEnvironment)
      assert.ok(program, issues)
      const problem = program.prepare()
      const outcome = program.evaluate(() => undefined)
      assert.equal(problem === undefined ? show(outcome.value) : `cannot run: ${problem}`, result, expression)
      if (cost !== undefined) assert.equal(outcome.cost, cost, `cost of ${expression}`)
    }
  })
}

function show(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `string ${goQuote(value)}`
    case 'bigint':
      return `int ${value}`
    case 'number':
      return `double ${formatDouble(value)}`
    case 'boolean':
      return `bool ${value}`
  }
  if (value instanceof CelError) return `error: ${value.message}`
  if (value instanceof ListValue) return `[${[...value].map(show).join(', ')}]`
  if (value instanceof Optional) return value.value === undefined ? 'optional.none' : `optional(${show(value.value)})`
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  return 'value' in (value ?? {}) ? `${typeOf(value).name} ${(value as { value: bigint }).value}` : typeOf(value).name
}
