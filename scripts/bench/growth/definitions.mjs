/** Many definitions of custom resources, as operators bring them. */
import { timed } from '../client.mjs'

const nameOf = i => `kind${String(i).padStart(4, '0')}s`
const groupOf = i => `g${i % 50}.growth.example.com`

const text = { type: 'string', description: 'What the field means, as long as descriptions are in the schemas of operators.' }
const selector = {
  type: 'object',
  properties: { matchLabels: { type: 'object', additionalProperties: { type: 'string' } } },
  'x-kubernetes-map-type': 'atomic'
}
const section = depth => ({
  type: 'object',
  description: 'A section of the specification.',
  properties: {
    name: text,
    image: { ...text, default: 'registry.example.com/image:1' },
    replicas: { type: 'integer', minimum: 0, format: 'int32' },
    selector,
    conditions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: {
          type: text,
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          reason: text,
          message: text,
          lastTransitionTime: { type: 'string', format: 'date-time' }
        }
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type']
    },
    ...(depth > 0 && Object.fromEntries(['first', 'second', 'third'].map(name => [name, section(depth - 1)])))
  }
})
const schema = { type: 'object', properties: { spec: section(3), status: section(1) } }

const definition = i => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${nameOf(i)}.${groupOf(i)}` },
  spec: {
    group: groupOf(i),
    names: { plural: nameOf(i), singular: `kind${i}`, kind: `Kind${i}`, listKind: `Kind${i}List` },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } }]
  }
})

export async function measureDefinitions({ start, settled, directory, count, progress, set: note }) {
  const column = count.toLocaleString('en')
  const set = (row, value) => note('definitions', row, column, value)
  const data = `${directory}/definitions`
  progress(`${column} definitions`)
  let server = await start(data)
  await settled(server)
  const empty = server.client.memory().rss
  const memory = row =>
    set(`RSS ${row}, beyond an empty server's`, `${((server.client.memory().rss - empty) / 1e6).toFixed(1)} MB`)
  set('bytes of one definition', JSON.stringify(definition(0)).length.toLocaleString('en'))
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const began = performance.now()
  set('create, 16 at a time', timed(await server.client.measure(count, 16, i => server.client.must('POST', path, definition(i)))))
  const isServed = async i => (await server.client.get(`/apis/${groupOf(i)}/v1/namespaces/default/${nameOf(i)}`)).status === 200
  for (let i = 0; i < count; i++) while (!(await isServed(i))) await new Promise(resolve => setTimeout(resolve, 20))
  set('until all are served', `${Math.round(performance.now() - began)} ms, ${server.client.cpu()} ms CPU with the start`)
  await settled(server)
  memory('when all are served')
  await documents(server.client, set)
  memory('after OpenAPI')
  await server.stop()
  server = await start(data)
  try {
    set('start: process to ready', `${Math.round(server.times.ready)} ms, ${server.times.cpu} ms CPU`)
    await settled(server)
    set('CPU until idle', `${server.client.cpu()} ms`)
    memory('after start')
    set(
      'first list of a kind',
      timed(
        await server.client.measure(Math.min(count, 100), 1, i =>
          server.client.must('GET', `/apis/${groupOf(i)}/v1/${nameOf(i)}`)
        )
      )
    )
    const create = i =>
      server.client.must('POST', `/apis/${groupOf(i)}/v1/namespaces/default/${nameOf(i)}`, {
        apiVersion: `${groupOf(i)}/v1`,
        kind: `Kind${i}`,
        metadata: { name: 'first' },
        spec: { name: 'x' }
      })
    set('first create of a kind', timed(await server.client.measure(Math.min(count, 100), 1, create)))
  } finally {
    await server.stop()
  }
}

async function documents(client, set) {
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const measured = async (row, path, options) => {
    let bytes = 0
    const ask = async () => {
      bytes = (await client.must('GET', path, undefined, options)).length
    }
    set(`${row}, first`, `${timed(await client.measure(1, 1, ask))}, ${(bytes / 1e6).toFixed(2)} MB`)
    set(row, timed(await client.measure(5, 1, ask)))
  }
  await measured('discovery', '/apis', { accept: aggregated })
  await measured('/openapi/v3', '/openapi/v3')
  await measured('/openapi/v3 of one group', `/openapi/v3/apis/${groupOf(0)}/v1`)
  await measured('/openapi/v2', '/openapi/v2')
}
