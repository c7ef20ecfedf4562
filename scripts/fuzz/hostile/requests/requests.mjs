/** Single requests with bodies, headers and parameters that are odd or as large as they may be. */
import { gzipSync } from 'node:zlib'

const maps = '/api/v1/namespaces/default/configmaps'
const shown = ({ status, body }) => `${status} ${body.subarray(0, 110)}`
const text = (length, what = 'a') => what.repeat(length)
const many = (count, make, between = ',') => Array.from({ length: count }, (_, i) => make(i)).join(between)
const get =
  (path, headers = {}) =>
  async target =>
    shown(await target.send('GET', path, undefined, headers))
const post =
  (path, body, type = 'application/json', more = {}) =>
  async target =>
    shown(await target.send('POST', path, typeof body === 'function' ? body() : body, { 'content-type': type, ...more }))
const query = (path, parameters) => `${path}?${new URLSearchParams(parameters)}`
const nested = (depth, open, close) => text(depth, open) + text(depth, close)
const access = '/apis/authorization.k8s.io/v1/subjectaccessreviews'

export async function prepare(target) {
  for (let i = 0; i < 2000; i++)
    await target.send('POST', maps, { metadata: { name: `m${i}`, labels: { a: `v${i}` } }, data: { text: text(500, 'x') } })
}

export const probes = {
  'JSON of depth 1,000,000': post(maps, () => nested(1_000_000, '[', ']')),
  'JSON of depth 100,000 within data': post(maps, () => `{"metadata":{"name":"d"},"data":${nested(100_000, '{"a":', '}')}}`),
  'YAML of depth 50,000': post(maps, () => nested(50_000, '[', ']'), 'application/yaml'),
  'YAML aliases that multiply': post(
    maps,
    () => `a0: &a0 [x]\n${many(60, i => `a${i + 1}: &a${i + 1} [${many(9, () => `*a${i}`)}]`, '\n')}`,
    'application/yaml'
  ),
  'CBOR of depth 2,000,000': post(maps, () => Buffer.alloc(2_000_000, 0x81), 'application/cbor'),
  'CBOR with an array of 2^62 items': post(maps, () => Buffer.from('9b4000000000000000', 'hex'), 'application/cbor'),
  'CBOR with a text of 2^31 bytes': post(maps, () => Buffer.from('7a7fffffff6161', 'hex'), 'application/cbor'),
  'Protobuf with lengths that lie': post(
    maps,
    () => Buffer.concat([Buffer.from('k8s\0'), Buffer.from('0affffffff7f12ffffffffffffffff7f', 'hex')]),
    'application/vnd.kubernetes.protobuf'
  ),
  'Protobuf groups of depth 1,000,000': post(
    maps,
    () => Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(1_000_000, 0x0b)]),
    'application/vnd.kubernetes.protobuf'
  ),
  'a gzip bomb': post(maps, () => gzipSync(Buffer.alloc(500_000_000, 0x20)), 'application/json', { 'content-encoding': 'gzip' }),
  '__proto__ as a key': post(maps, '{"metadata":{"name":"proto"},"data":{"__proto__":"x"},"__proto__":{"polluted":1}}'),
  'a label selector of 15 kB': get(query(maps, { labelSelector: many(1500, i => `k${i}!=v`) })),
  'a label selector with 2,000 values': get(query(maps, { labelSelector: `a in (${many(2000, i => `v${i}`)})` })),
  'parentheses in a label selector': get(query(maps, { labelSelector: text(15_000, '(') })),
  'a field selector of 15 kB': get(query(maps, { fieldSelector: many(700, () => 'metadata.name!=a') })),
  'a filter that costs much': get(
    query(maps, { 'binnacle.filter': "object.data.text.split('').all(a, object.data.text.contains(a))" })
  ),
  'a filter with a pattern that multiplies': get(query(maps, { 'binnacle.filter': "object.data.text.matches('(x+x+)+y')" })),
  'a filter of depth 1,300': get(query(maps, { 'binnacle.filter': nested(1300, '(', ')') })),
  'a forged continue token': get(
    query(maps, {
      limit: '1',
      continue: Buffer.from(`{"v":"meta.k8s.io/v1","rv":-1,"start":"${text(9000, '/..')}"}`).toString('base64url')
    })
  ),
  'a continue token of another path': get(
    query(maps, {
      limit: '1',
      continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets/"}').toString('base64url')
    })
  ),
  'a limit of 10^30': get(query(maps, { limit: `1${text(30, '0')}` })),
  '7,000 media types in Accept': get(maps, { accept: many(1000, i => `application/x${i};q=0.${i}`) }),
  'many codings in Accept-Encoding': get(maps, { 'accept-encoding': many(2000, i => `g${i};q=0.1`) }),
  'odd forms in Content-Type': post(maps, '{}', `application/json;${text(12_000, ' a=b;')}`),
  'a token of 15 kB with dots': get(maps, { authorization: `Bearer ${text(7000, 'a.')}` }),
  'a token with a header of depth 3,000': get(maps, {
    authorization: `Bearer ${Buffer.from(nested(3000, '[', ']')).toString('base64url')}.e30.x`
  }),
  'a review with 60,000 groups': post(access, () =>
    JSON.stringify({
      spec: {
        user: 'u',
        groups: Array.from({ length: 60_000 }, (_, i) => `g${i}`),
        resourceAttributes: { verb: 'get', resource: 'pods' }
      }
    })
  ),
  'a review with selectors of 20,000 requirements': post(access, () =>
    JSON.stringify({
      spec: {
        user: 'u',
        resourceAttributes: {
          verb: 'list',
          resource: 'pods',
          labelSelector: {
            requirements: Array.from({ length: 20_000 }, (_, i) => ({ key: `k${i}`, operator: 'In', values: ['a', 'b'] }))
          }
        }
      }
    })
  ),
  'a review of a token of 2 MB': post('/apis/authentication.k8s.io/v1/tokenreviews', () =>
    JSON.stringify({ spec: { token: text(1_000_000, 'a.'), audiences: Array.from({ length: 20_000 }, (_, i) => `a${i}`) } })
  ),
  'a certificate request of 2 MB of nested ASN.1': post('/apis/certificates.k8s.io/v1/certificatesigningrequests', () => {
    const der = Buffer.concat(Array.from({ length: 300_000 }, () => Buffer.from('3080', 'hex')))
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
    const spec = { request: Buffer.from(pem).toString('base64'), signerName: 'a.io/b', usages: ['client auth'] }
    return JSON.stringify({ metadata: { name: 'c' }, spec })
  }),
  'a set of 1,000 objects': post('/binnacle/v1/sets?fieldManager=m&namespace=default', () =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: Array.from({ length: 1000 }, (_, i) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `s${i}` },
        data: { a: text(2000) }
      }))
    })
  ),
  'a set of 100,000 entries': post(
    '/binnacle/v1/sets?fieldManager=m',
    () => `{"apiVersion":"v1","kind":"List","items":[${many(99_000, () => '{}')}]}`
  ),
  'an apply of 45,000 fields': async target =>
    shown(
      await target.send(
        'PATCH',
        `${maps}/applied?fieldManager=m`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":{${many(45_000, i => `"key-${i}":"v"`)}}}`,
        { 'content-type': 'application/apply-patch+yaml' }
      )
    ),
  '5,000 paths, verbs, agents and names for metrics': async target => {
    const series = async () => (await target.send('GET', '/metrics')).body.toString().split('\n').length
    const before = await series()
    for (let i = 0; i < 2500; i++) {
      await target.send('GET', `/x${i}/y`, undefined, { 'user-agent': `agent${i}` })
      await target.send('GET', `/apis/g${i}.io/v1/r${i}`, undefined)
    }
    return `${before} lines of metrics, then ${await series()}`
  },
  'a definition with 1,500 versions': post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', () =>
    JSON.stringify({
      metadata: { name: 'versions.many.example.com' },
      spec: {
        group: 'many.example.com',
        scope: 'Cluster',
        names: { plural: 'versions', kind: 'Version' },
        versions: Array.from({ length: 1500 }, (_, i) => ({
          name: `v${i + 1}`,
          served: true,
          storage: i === 0,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
            }
          }
        }))
      }
    })
  ),
  'a fault rule with 500 kB of names': post('/testing/v1/faults', () =>
    JSON.stringify({ verb: 'get', resource: Array.from({ length: 50_000 }, (_, i) => `r${i}`), status: 500, times: 1e300 })
  )
}
