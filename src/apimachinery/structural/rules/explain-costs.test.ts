import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { type Cure, explainCosts } from './explain-costs.js'
import { validateRules } from './validate-rules.js'

const limit = 10_000_000
const rules = (...rules: string[]) => ({ 'x-kubernetes-validations': rules.map(rule => ({ rule })) })
const schemaOf = (spec: object): any => ({ type: 'object', properties: { spec: { type: 'object', ...spec } } })
const named = (more: object = {}) => ({ type: 'object', properties: { name: { type: 'string', ...more } } })

/** What the definition's own validation says about costs. */
function refusals(schema: JSONSchemaProps): string[] {
  const errors = new FieldErrors()
  validateRules(schema, Path.of('schema'), errors)
  return errors.list.map(String)
}

/** Puts the limits into a copy of the schema, by the places that the explanation names. */
function withBounds(schema: object, { bounds }: Cure): any {
  const copy = structuredClone(schema)
  for (const { at, keyword, value } of bounds) {
    let current: any = copy
    for (const [, field, key] of at.matchAll(/\.(\w+)|\[([^\]]+)\]/g)) current = current[field ?? key!]
    current[keyword] = value
  }
  return copy
}

describe('the costs of rules', () => {
  it('are those by which a definition is refused', () => {
    const dear = schemaOf({
      properties: { items: { type: 'array', items: named() } },
      ...rules('self.items.all(i, self.items.exists(j, j.name == i.name))')
    })
    const { rules: explained } = explainCosts(dear)
    assert.ok(explained[0]!.total > limit)
    assert.notEqual(refusals(dear).length, 0)
    const cheap = schemaOf({ properties: { size: { type: 'integer' } }, ...rules('self.size > 3') })
    const [rule] = explainCosts(cheap).rules
    assert.deepEqual([rule!.cost, rule!.values, rule!.total], [3, 1, 3])
    assert.deepEqual([rule!.nodes, rule!.cures], [[], []])
    assert.deepEqual(refusals(cheap), [])
  })

  const costly: Record<string, any> = {
    'a list in a rule': schemaOf({
      properties: { items: { type: 'array', items: named({ maxLength: 10 }) } },
      ...rules('self.items.all(i, self.items.exists(j, j.name == i.name))')
    }),
    'a text': schemaOf({
      properties: {
        text: { type: 'string' },
        others: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 20 } }
      },
      ...rules('self.others.all(o, self.text.contains(o))')
    }),
    'the values of a map': schemaOf({
      properties: { labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } } },
      ...rules('self.labels.all(k, self.labels.all(l, self.labels[k] == self.labels[l]))')
    }),
    'lists around the rule': schemaOf({
      properties: { items: { type: 'array', items: { type: 'string', maxLength: 100, ...rules("self.matches('^[a-z]+$')") } } }
    }),
    'everything at once': schemaOf({
      properties: { items: { type: 'array', items: { type: 'string', ...rules("self.matches('^[a-z]+$')") } } }
    })
  }
  for (const [what, schema] of Object.entries(costly))
    it(`of ${what} are cured by limits, with which the definition is not refused`, () => {
      const { rules: explained } = explainCosts(schema)
      const [rule] = explained
      assert.ok(rule!.total > limit)
      assert.ok(rule!.cures.length > 0)
      for (const cure of rule!.cures) {
        assert.ok(cure.total <= limit)
        assert.deepEqual(refusals(withBounds(schema, cure)), [], JSON.stringify(cure))
        assert.equal(explainCosts(withBounds(schema, cure)).rules.find(({ at }) => at === rule!.at)!.total, cure.total)
      }
    })

  it('have nodes whose own costs make up the whole', () => {
    const { rules: explained } = explainCosts(costly['a list in a rule'])
    const [{ nodes, cost }] = explained as [any]
    assert.match(nodes[0].expression, /j\.name == i\.name|exists/)
    const sum = nodes.reduce((sum: number, { own }: any) => sum + own, 0)
    assert.ok(sum <= cost * 1.0001 && sum > cost * 0.9, `${sum} of ${cost}`)
    // what the loop does with its accumulator is told of the loop, and not of names that nobody wrote
    assert.ok(!JSON.stringify(nodes).includes('__result__'))
  })

  it('tell of limits that are there, and need to be smaller', () => {
    const schema = schemaOf({
      properties: { items: { type: 'array', maxItems: 100_000, items: named({ maxLength: 10 }) } },
      ...rules('self.items.all(i, self.items.exists(j, j.name == i.name))')
    })
    const [bound] = explainCosts(schema).rules[0]!.cures[0]!.bounds
    assert.equal(bound!.present, 100_000)
    assert.ok(bound!.value < 100_000)
  })

  it('of rules that do not compile are told with the reason', () => {
    const [rule] = explainCosts(schemaOf({ properties: { a: { type: 'integer' } }, ...rules('self.b') })).rules
    assert.match(rule!.error!, /undefined field 'b'/)
  })
})
