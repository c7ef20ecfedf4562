import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatusError } from '../status/status.js'
import { compilePattern } from '../structural/regexp.js'
import { inTurns } from './compile-turns.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { compile } from './program.js'

/** An expression that takes some ten milliseconds to compile. */
const long = (i: number) => Array.from({ length: 300 }, (_, k) => `${i} + ${k} > 0`).join(' && ')

test('a validation that compiles much yields, and compiles nothing twice', async () => {
  const expressions = Array.from({ length: 5 }, (_, i) => long(i))
  const programs = expressions.map(() => new Set<unknown>())
  let finished = 0
  let turns = 0
  const count = () => {
    turns++
    if (finished === 0) setImmediate(count)
  }
  setImmediate(count)
  await inTurns(() => {
    for (const [i, expression] of expressions.entries()) programs[i]!.add(compile(expression, kubernetesEnvironment).program)
    finished++
  })
  assert.equal(finished, 1)
  assert.ok(turns >= 3, String(turns))
  assert.ok(programs.every(found => found.size === 1 && !found.has(undefined)))
})

test('a validation that compiles little finishes synchronously', () => {
  assert.equal(
    inTurns(() => void compile('1 + 1 == 2', kubernetesEnvironment)),
    undefined
  )
})

test('a limit bounds how much one validation compiles', async () => {
  const text = (i: number) => `'${String(i).repeat(90_000)}' == ''`
  await assert.rejects(
    async () =>
      inTurns(() => {
        for (let i = 0; i < 9; i++) compile(text(i), kubernetesEnvironment)
      }),
    error => error instanceof StatusError && error.code === 413
  )
})

test('a limit bounds how much regular expressions may become', async () => {
  const patterns = (length: number) => async () =>
    inTurns(() => {
      for (let i = 0; i < length; i++) for (let times = 0; times < 100; times++) compilePattern(`a{1000}|${i}`)
    })
  await patterns(10)()
  await assert.rejects(patterns(600), {
    message: 'Request entity too large: limit is 500000 instructions of regular expressions'
  })
})

test('other errors are passed on', () => {
  assert.throws(
    () =>
      inTurns(() => {
        throw new TypeError('x')
      }),
    TypeError
  )
})
