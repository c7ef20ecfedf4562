import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expressionText } from './expression-text.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { compile } from './program.js'
import { dynType, listType, stringType } from './types.js'

const environment = kubernetesEnvironment.extend(
  new Map([
    ['self', dynType],
    ['names', listType(stringType)]
  ])
)
const printed = (source: string): string => {
  const { program, issues } = compile(source, environment)
  assert.ok(program, issues)
  return expressionText(program.expr)
}

describe('the text of an expression', () => {
  const same = [
    'self.a.b',
    'has(self.a.b)',
    'self.a + 1 < 3 ? "x" : "y"',
    '!self.ready && -self.n > 2',
    '(self.a || self.b) && self.c',
    'self.list[0]',
    '"a" in names',
    'names.all(n, n.startsWith("a"))',
    'names.exists(n, n == "a")',
    'names.exists_one(n, n == "a")',
    'names.map(n, n.size())',
    'names.filter(n, n != "")',
    'names.all(i, n, i < 3 && n != "")',
    'names.all(n, names.exists(m, m == n))',
    '[1, 2, 3]',
    '{"a": 1, "b": 2}',
    'self.?a.orValue(1)'
  ]
  for (const source of same)
    it(source, () => {
      // parentheses may be more than those that were written, but not fewer
      assert.equal(printed(source).replace(/[()]/g, ''), source.replace(/[()]/g, ''))
      assert.equal(printed(printed(source)), printed(source))
    })

  it('is cut off when it is long', () => {
    assert.ok(printed(`self.a == "${'x'.repeat(1000)}"`).length < 300)
  })
})
