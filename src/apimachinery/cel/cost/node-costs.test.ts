import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kubernetesEnvironment } from '../kubernetes-environment.js'
import { compile, type Program } from '../program.js'
import { dynType, listType, stringType } from '../types.js'
import { jsonValue } from '../values/json.js'
import { measuredNodes, nodeCosts } from './node-costs.js'

const environment = kubernetesEnvironment.extend(
  new Map([
    ['self', dynType],
    ['names', listType(stringType)]
  ])
)
const programOf = (source: string): Program => {
  const { program, issues } = compile(source, environment)
  assert.ok(program, issues)
  return program
}
const values: Record<string, any> = {
  self: jsonValue({ a: 1, text: 'x'.repeat(100), list: [1, 2, 3] }),
  names: jsonValue(['a', 'b', 'c', 'd'])
}
const measure = (source: string, given = values) => {
  const program = programOf(source)
  return measuredNodes(program, note => program.evaluate(name => given[name], undefined, undefined, note), 1000)
}
const sum = (nodes: readonly { readonly own: number }[]) => nodes.reduce((total, { own }) => total + own, 0)

const sources = [
  'self.a == 1',
  'names.all(n, n != "x")',
  'names.exists(n, names.exists(m, m == n))',
  'self.text.contains("y") || self.text.matches("^x+$")',
  'names.map(n, n + "x").filter(n, n.startsWith("a")).size() == 1',
  'self.list.exists_one(i, i == 2) ? self.a > 0 : self.text == ""',
  '{"a": "x" + "y", "b": "z"}.size() == [1, 2].size()'
]

describe('the measured costs of nodes', () => {
  for (const source of sources)
    it(`of ${source} make up what the expression costs`, () => {
      const { outcome, nodes } = measure(source)
      const program = programOf(source)
      const plain = program.evaluate(name => values[name])
      assert.deepEqual([outcome.value, outcome.cost], [plain.value, plain.cost], 'measuring changes nothing')
      assert.equal(sum(nodes), outcome.cost)
      assert.ok(!nodes.some(({ expression }) => expression.includes('__result__')))
    })

  it('count what a loop repeats', () => {
    const node = measure('names.all(n, n.contains("y") || true)').nodes.find(({ expression }) => expression === 'n.contains("y")')
    assert.equal(node?.times, 4)
  })

  it('are those until an evaluation ended early', () => {
    const { outcome, nodes } = measure('self.none == 1')
    assert.match(String((outcome.value as Error).message), /no such key/)
    assert.equal(sum(nodes), outcome.cost)
  })
})

describe('the estimated costs of nodes', () => {
  for (const source of sources)
    it(`of ${source} make up the estimate`, () => {
      const program = programOf(source)
      const sizes = () => ({ min: 0, max: 10 })
      const nodes = nodeCosts(program, sizes, 1000)
      const { max } = program.estimateCost(sizes)
      // only one part of a condition counts, and both are told: filter and exists_one have one
      if (/\?|filter|exists_one/.test(source)) assert.ok(sum(nodes) >= max)
      else assert.equal(sum(nodes), max)
    })

  it('are the costliest, as many as wanted', () => {
    const program = programOf('names.all(n, names.exists(m, m == n))')
    const [first, ...others] = nodeCosts(program, () => ({ min: 0, max: 1000 }), 1)
    assert.match(first!.expression, /m == n/)
    assert.deepEqual(others, [])
  })
})
