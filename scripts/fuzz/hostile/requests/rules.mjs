/** Custom resources with many items and many rules. */
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'hostile.example.com'

async function define(target, plural, spec, more = {}) {
  const kind = plural[0].toUpperCase() + plural.slice(1, -1)
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  const body = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...more }]
    }
  }
  const { status, body: answer } = await target.send('POST', definitions, body)
  if (status !== 201) throw new Error(`${status} ${answer.subarray(0, 500)}`)
  while ((await target.send('GET', `/apis/${group}/v1/${plural}`)).status !== 200);
}

const create = (target, plural, object) => target.send('POST', `/apis/${group}/v1/namespaces/default/${plural}`, object)
const object = (plural, spec) =>
  JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: plural[0].toUpperCase() + plural.slice(1, -1),
    metadata: { generateName: 'a-' },
    spec
  })

const listOf = (items, rules, maxItems = 45_000) => ({
  type: 'object',
  properties: {
    list: { type: 'array', maxItems, items: { ...items, 'x-kubernetes-validations': rules.map(rule => ({ rule })) } }
  }
})
const shown = ({ status, body }) => `${status} ${body.length < 300 ? body : `${body.subarray(0, 120)}…`}`

export const probes = {
  '20 rules for each of 45,000 items': async target => {
    const rules = Array.from({ length: 20 }, (_, i) => `self != ${i + 45_000}`)
    await define(target, 'numbers', listOf({ type: 'integer' }, rules))
    return shown(await create(target, 'numbers', object('numbers', { list: Array.from({ length: 45_000 }, (_, i) => i) })))
  },
  '20 rules that fail for each of 45,000 items': async target => {
    await define(target, 'wrongs', listOf({ type: 'integer' }, Array(20).fill('self < 0')))
    return shown(await create(target, 'wrongs', object('wrongs', { list: Array.from({ length: 45_000 }, (_, i) => i) })))
  },
  '500 rules that are true for each of 45,000 items': async target => {
    await define(target, 'truths', listOf({ type: 'integer' }, Array(500).fill('true')))
    return shown(await create(target, 'truths', object('truths', { list: Array.from({ length: 45_000 }, (_, i) => i) })))
  },
  'comparisons within the free steps of each of 3,000 items': async target => {
    const item = {
      type: 'object',
      properties: { a: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 10 } } }
    }
    await define(
      target,
      'steps',
      listOf(
        item,
        Array.from({ length: 50 }, () => 'self.a == self.a'),
        3000
      )
    )
    const a = Array.from({ length: 90 }, (_, i) => `t${i}`)
    return shown(await create(target, 'steps', object('steps', { list: Array(3000).fill({ a }) })))
  },
  'status with 20 rules for each of 20,000 items': async target => {
    const list = {
      type: 'array',
      maxItems: 45_000,
      items: {
        type: 'integer',
        'x-kubernetes-validations': Array.from({ length: 20 }, (_, i) => ({ rule: `self != ${i + 45_000}` }))
      }
    }
    const kind = 'Level'
    const schema = { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties: { list } } } } }
    const version = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }
    const spec = { group, scope: 'Namespaced', names: { plural: 'levels', kind }, versions: [version] }
    await target.send('POST', definitions, { metadata: { name: `levels.${group}` }, spec })
    const url = `/apis/${group}/v1/namespaces/default/levels`
    while ((await target.send('GET', url)).status !== 200);
    await target.send('POST', url, { apiVersion: `${group}/v1`, kind, metadata: { name: 'a' } })
    const body = JSON.stringify({ status: { list: Array.from({ length: 45_000 }, (_, i) => i) } })
    return shown(await target.send('PATCH', `${url}/a/status`, body, { 'content-type': 'application/merge-patch+json' }))
  }
}
