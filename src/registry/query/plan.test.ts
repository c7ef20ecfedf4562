/** What indexes can answer of a filter, and that they leave out nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defineKind } from '../../apiextensions/own-kind.js'
import { kubernetesEnvironment } from '../../apimachinery/cel/kubernetes-environment.js'
import { compile } from '../../apimachinery/cel/program.js'
import { dynType } from '../../apimachinery/cel/types.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { pick, random } from '../../testkit/random.js'
import { silentLogger } from '../../util/logger.js'
import { fixedValue, type Plan, planOf } from './plan.js'

const environment = kubernetesEnvironment.extend(new Map([['object', dynType]]))
const indexed = new Set(['spec.a', 'spec.b'])
const planned = (source: string) => planOf(compile(source, environment).program!.expr, indexed)

/** Shows a plan as text. */
function shown(plan: Plan | undefined): string {
  if (!plan) return 'scan'
  switch (plan.kind) {
    case 'values':
      return `${plan.of} ${plan.key}=${plan.values.join('|')}`
    case 'range':
      return `range of ${plan.key}`
    case 'names':
      return `names ${plan.names.join('|')}`
    default:
      return `${plan.kind}(${plan.plans.map(shown).join(', ')})`
  }
}

describe('the plan of a filter', () => {
  const cases: readonly [string, string][] = [
    ["object.spec.a == 'x'", 'fields spec.a=x'],
    ["'x' == object.spec['a']", 'fields spec.a=x'],
    ['object.spec.a in [1, 2, 2]', 'fields spec.a=1|2'],
    ["object.spec.c == 'x'", 'scan'],
    ["object.spec.a != 'x'", 'scan'],
    ["!(object.spec.a == 'x')", 'scan'],
    ["object.spec.a == 'x' && object.spec.c == 'y'", 'fields spec.a=x'],
    ["object.spec.a == 'x' && object.spec.b == 'y'", 'oneOf(fields spec.a=x, fields spec.b=y)'],
    ["object.spec.a == 'x' || object.spec.b == 'y'", 'union(fields spec.a=x, fields spec.b=y)'],
    ["object.spec.a == 'x' || object.spec.c == 'y'", 'scan'],
    ['object.spec.a > 1 && object.spec.a <= 5 && 3 < object.spec.b', 'oneOf(range of spec.a, range of spec.b)'],
    ["object.metadata.name == 'x'", 'names x'],
    ["object.metadata.labels.app == 'x'", 'labels app=x'],
    ["object.metadata.labels['a.b/c'] in ['x', 'y']", 'labels a.b/c=x|y'],
    ['object.spec.a == object.spec.b', 'scan'],
    // as a double it equals several integers
    ['object.spec.a == 9007199254740993.0', 'scan'],
    ["object['spec.a'] == 'x'", 'scan'],
    ["[object].exists(object, object.spec.a == 'x')", 'scan']
  ]
  for (const [source, expected] of cases) test(source, () => assert.equal(shown(planned(source)), expected))

  test('has the value by which watchers are woken', () => {
    assert.deepEqual(fixedValue(planned("object.spec.a == 'x' && object.spec.b > 1")), {
      of: 'fields',
      key: 'spec.a',
      value: 'x'
    })
    assert.equal(fixedValue(planned("object.spec.a in ['x', 'y']")), undefined)
    assert.equal(fixedValue(planned("object.spec.a == ''")), undefined)
  })
})

describe('an index', () => {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    }
  } as const
  const kind = (name: string, indexes: string[]) =>
    defineKind<any>({
      group: 'plan.example.com',
      kind: name,
      resource: `${name.toLowerCase()}s`,
      versions: [{ name: 'v1', schema }],
      indexes
    })
  const kinds = { indexed: kind('Indexed', ['.spec.a', '.spec.b']), plain: kind('Plain', []) }
  let server: BinnacleServer
  before(async () => {
    server = createServer({ log: silentLogger, kinds: [kinds.indexed, kinds.plain] })
    await server.start()
  })
  after(() => server.stop())

  const values = [
    0,
    1,
    -1,
    2,
    10,
    1.5,
    1e21,
    9007199254740993n,
    '',
    'x',
    'y',
    '1',
    '10',
    'true',
    true,
    false,
    null,
    [1],
    { x: 1 },
    undefined
  ]

  test('finds what a scan finds, whatever the types of the values', async () => {
    const next = random(7)
    const any = () => pick(next, values)
    const objects = Array.from({ length: 150 }, (_, i) => ({ metadata: { name: `o-${i}` }, spec: { a: any(), b: any() } }))
    const text = (object: object) =>
      JSON.stringify(object, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value)).replace(/"#(\d+)#"/g, '$1')
    for (const { kind, resource } of Object.values(kinds))
      for (const object of objects)
        await server.inject({
          method: 'POST',
          url: `/apis/plan.example.com/v1/namespaces/default/${resource}`,
          headers: { 'content-type': 'application/json' },
          body: text({ apiVersion: 'plan.example.com/v1', kind, ...object }),
          user: { name: 'me', groups: ['system:masters'] }
        })
    const literals = ["''", "'x'", "'1'", '0', '1', '1.0', '1.5', '10', '-1', '9007199254740993', 'true', 'false', '1e21', "'10'"]
    const tests = literals.flatMap(literal =>
      ['==', '<', '>=', 'in'].map(operator => `object.spec.a ${operator} ${operator === 'in' ? `[${literal}]` : literal}`)
    )
    const filters = [
      ...tests,
      ...tests.map(test => `${test} || object.spec.b == 1`),
      ...tests.map(test => `${test} && object.spec.b != 1`),
      'object.spec.a > 0 && object.spec.a < 10 && object.spec.b >= 1'
    ]
    for (const filter of filters) {
      const found = await Promise.all(
        Object.values(kinds).map(async kind =>
          (await server.client().of(kind).list({ filter })).items.map(({ metadata }) => metadata.name)
        )
      )
      assert.deepEqual(found[0], found[1], filter)
    }
    for (const orderBy of ['spec.a', 'spec.a desc, spec.b', 'spec.b desc, metadata.name desc']) {
      const found = await Promise.all(
        Object.values(kinds).map(async kind =>
          (await server.client().of(kind).list({ orderBy })).items.map(({ metadata }) => metadata.name)
        )
      )
      assert.deepEqual(found[0], found[1], orderBy)
    }
  })

  test('spares looking at the others', async () => {
    const fetched = async () => {
      const { body } = await server.inject({ url: '/metrics', user: { name: 'me', groups: ['system:masters'] } })
      const lines = body.toString().split('\n')
      const own = lines.filter(line =>
        /^apiserver_storage_list_fetched_objects_total.*plan\.example\.com.*"watchcache"/.test(line)
      )
      return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }
    const looks = async (kind: typeof kinds.indexed, filter: string) => {
      const before = await fetched()
      await server.client().of(kind).list({ filter })
      return (await fetched()) - before
    }
    assert.equal(await looks(kinds.plain, "object.spec.a == 'x'"), 150)
    assert.ok((await looks(kinds.indexed, "object.spec.a == 'x'")) < 50)
    assert.ok((await looks(kinds.indexed, 'object.spec.a > 5')) < 100)
  })
})
