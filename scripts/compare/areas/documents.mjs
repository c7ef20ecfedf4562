/** Documents of custom resources with numbers at the ends of int64 and double, keys that come twice, and a status that is not theirs to set. */

const numbers = [
  ...['0', '-0', '1', '1.0', '1e2', '0.1', '1.5e0', '9007199254740993', '9223372036854775807', '9223372036854775808'],
  ...['-9223372036854775808', '-9223372036854775809', '18446744073709551616', '1e18', '1e19', '1e300', '1e400', '"1e400"']
]
const others = ['null', '"x"', 'true', '{}', '[]', '{"x":1}', '{"y":"z"}', '[1]']
const fields = ['whole', 'wide', 'number', 'either', 'open', 'map', 'replicas']

const type = kind => ({ type: kind })
const spec = {
  type: 'object',
  properties: {
    whole: type('integer'),
    wide: { type: 'integer', format: 'int64' },
    number: type('number'),
    either: { 'x-kubernetes-int-or-string': true },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
    map: { type: 'object', additionalProperties: type('string') },
    replicas: type('integer')
  }
}
const status = {
  type: 'object',
  default: { phase: 'New' },
  properties: { phase: type('string'), tries: { type: 'integer', default: 5 }, replicas: type('integer') }
}

export async function area({ random, send }) {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const group = '$RUN-documents.example.com'
  const things = `/apis/${group}/v1/things`
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } }
  const names = { plural: 'things', kind: 'Thing' }
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {}, scale } }]
  await send({ path: crds, body: { metadata: { name: `things.${group}` }, spec: { group, names, scope: 'Cluster', versions } } })
  for (let tries = 0; tries < 100; tries++)
    if ((await send({ path: things })).every(answer => answer.status === 200)) break
    else await new Promise(resolve => setTimeout(resolve, 100))

  const value = () => random.pick(random.chance(0.6) ? numbers : others)
  const member = () => `"${random.pick(fields)}":${value()}`
  const members = () => `{${Array.from({ length: 1 + random.below(3) }, member).join()}}`
  const part = () =>
    random.pick([
      () => `"spec":${members()}`,
      () => `"spec":${members()},"spec":${members()}`,
      () => `"status":{"phase":${value()}}`,
      () => `"spec":{},"status":${value()}`
    ])()
  return {
    generate() {
      const document = `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"$ID"},${part()}}`
      const fieldValidation = random.pick(['Ignore', 'Warn', 'Strict'])
      return {
        requests: [
          {
            path: `${things}?fieldValidation=${fieldValidation}`,
            headers: { 'content-type': 'application/json' },
            body: document,
            pick
          },
          { path: `${things}/$ID` }
        ],
        cleanup: [{ method: 'DELETE', path: `${things}/$ID` }]
      }
    },
    cleanup: [{ method: 'DELETE', path: `${crds}/things.${group}` }]
  }
}

/** Go looks at the fields of a schema in an order that changes. */
const pick = body =>
  body.reason === 'Invalid' ? { code: body.code, causes: body.details.causes?.map(cause => JSON.stringify(cause)).sort() } : body
