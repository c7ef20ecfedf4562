/** Bodies in CBOR, Protobuf, YAML and JSON that are small on the way and could be large, deep or slow here. */
export const options = { featureGates: { CBORServingAndStorage: true } }

const maps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const wides = '/apis/bodies.example.com/v1/namespaces/default/wides'
const shown = ({ status, body }) => `${status} ${body.subarray(0, 160)}`
const many = (count, make, between = ',') => Array.from({ length: count }, (_, i) => make(i)).join(between)
const bytes = (...parts) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'hex') : Buffer.from(part))))
const repeated = (part, count) => Buffer.alloc(part.length * count, part)

export async function prepare(target) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const versions = [{ name: 'v1', served: true, storage: true, schema }]
  const spec = { group: 'bodies.example.com', scope: 'Namespaced', names: { plural: 'wides', kind: 'Wide' }, versions }
  await target.send('POST', definitions, { metadata: { name: 'wides.bodies.example.com' }, spec })
  while ((await target.send('GET', wides)).status === 404);
}

const sends =
  (path, type, make, method = 'POST') =>
  async target =>
    shown(await target.send(method, path, make(), { 'content-type': type }))

// CBOR

const head = (major, length) =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 65536
      ? Buffer.from([(major << 5) | 25, length >> 8, length & 255])
      : Buffer.from([(major << 5) | 26, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255])
const text = string => bytes(head(3, string.length), Buffer.from(string))
const map = (...pairs) => bytes(head(5, pairs.length / 2), ...pairs)
const wide = (value, name = 'a') =>
  map(
    ...[text('apiVersion'), text('bodies.example.com/v1'), text('kind'), text('Wide')],
    ...[text('metadata'), map(text('name'), text(name)), text('spec'), value]
  )
const cbor = (make, path = wides) => sends(path, 'application/cbor', make)
let name = 0
const named = value => wide(value, `n${name++}`)

// Protobuf

const varint = value => {
  const out = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest])
    out.push((rest % 128) | 128)
  }
}
const field = (number, content) => bytes(varint(number * 8 + 2), varint(content.length), content)
const message = (apiVersion, kind, raw) =>
  bytes('6b387300', field(1, bytes(field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind)))), field(2, raw))
const protobuf = (path, make) => sends(path, 'application/vnd.kubernetes.protobuf', make)
const meta = field(1, field(1, Buffer.from('a')))
const configMap = raw => message('v1', 'ConfigMap', bytes(meta, raw))
const pod = raw => message('v1', 'Pod', bytes(meta, raw))
function nestedSchema(depth) {
  let schema = Buffer.alloc(0)
  // `not` is the field 29 of JSONSchemaProps
  for (let i = 0; i < depth; i++) schema = field(29, schema)
  return schema
}
const crd = schema =>
  message(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    bytes(
      field(1, field(1, Buffer.from('as.x.example.com'))),
      field(
        2,
        bytes(
          field(1, Buffer.from('x.example.com')),
          field(3, bytes(field(1, Buffer.from('as')), field(4, Buffer.from('A')))),
          field(4, Buffer.from('Cluster')),
          field(7, bytes(field(1, Buffer.from('v1')), '10011801', field(4, field(1, schema))))
        )
      )
    )
  )

const yaml = (make, path = maps) => sends(path, 'application/yaml', make)
const json = (make, path = maps) => sends(path, 'application/json', make)

export const probes = {
  'CBOR of depth 2,000,000': cbor(() => Buffer.alloc(2_000_000, 0x81)),
  'CBOR of depth 9,900 in an object': cbor(() => named(bytes(Buffer.alloc(9_900, 0x81), '00'))),
  'CBOR with 2,500,000 tags on one value': cbor(() => named(bytes(Buffer.alloc(2_500_000, 0xc6), '00'))),
  'CBOR with 9,000 tags on each of 300 values': cbor(() =>
    named(bytes(head(4, 300), ...Array(300).fill(bytes(Buffer.alloc(9_000, 0xc6), '00'))))
  ),
  'CBOR with 1,400,000 chunks of a text': cbor(() => named(bytes('7f', repeated(bytes('6161'), 1_400_000), 'ff'))),
  'CBOR with 2,900,000 empty chunks of a text': cbor(() => named(bytes('7f', Buffer.alloc(2_900_000, 0x60), 'ff'))),
  'CBOR with 2,900,000 bytes to be written in base64': cbor(() =>
    named(bytes('d6', head(2, 2_900_000), Buffer.alloc(2_900_000)))
  ),
  'CBOR with 100,000 equal keys': cbor(() => named(bytes(head(5, 100_000), repeated(bytes('616100'), 100_000)))),
  'CBOR with 50,000 keys, the last one twice': cbor(() =>
    named(bytes(head(5, 50_000), ...Array.from({ length: 50_000 }, (_, i) => bytes(text(`k${Math.min(i, 49_998)}`), '00'))))
  ),
  'CBOR with 2,900,000 small values': cbor(() => named(bytes('9f', Buffer.alloc(2_900_000, 0), 'ff'))),
  'CBOR with 90,000 long keys of objects': cbor(() =>
    named(bytes(head(4, 45_000), ...Array.from({ length: 45_000 }, (_, i) => map(text(`key-of-an-object-${i}`), '00'))))
  ),
  'CBOR with 90,000 floats': cbor(() => named(bytes(head(4, 90_000), repeated(bytes('fb3ff3c0ca428c59fb'), 90_000)))),
  'CBOR with an array of 2^31 - 1 items': cbor(() => named(bytes('9a7fffffff'))),
  'CBOR with unknown fields of a ConfigMap': cbor(
    () =>
      map(
        text('kind'),
        text('ConfigMap'),
        text('apiVersion'),
        text('v1'),
        ...Array.from({ length: 30_000 }, (_, i) => [text(`f${i}`), bytes('00')]).flat()
      ),
    `${maps}?fieldValidation=Strict`
  ),
  'an apply in CBOR of 40,000 fields': sends(
    `${wides}/applied?fieldManager=m`,
    'application/apply-patch+cbor',
    () => wide(bytes(head(5, 40_000), ...Array.from({ length: 40_000 }, (_, i) => bytes(text(`k${i}`), '00'))), 'applied'),
    'PATCH'
  ),
  'Protobuf with 1,400,000 empty containers': protobuf(pods, () => pod(field(2, repeated(bytes('1200'), 1_400_000)))),
  'Protobuf with 90,000 empty containers': protobuf(pods, () => pod(field(2, repeated(bytes('1200'), 90_000)))),
  'Protobuf with 1,000,000 unknown fields': protobuf(maps, () => configMap(repeated(bytes('f07f01'), 900_000))),
  'Protobuf with metadata 1,000,000 times': protobuf(maps, () => configMap(repeated(bytes('0a00'), 1_000_000))),
  'Protobuf with metadata that grows 100,000 times': protobuf(maps, () =>
    configMap(repeated(field(1, field(11, field(1, Buffer.from('k')))), 100_000))
  ),
  'Protobuf with 300,000 equal keys of data': protobuf(maps, () =>
    configMap(repeated(field(2, field(1, Buffer.from('k'))), 300_000))
  ),
  'Protobuf with 90,000 keys of data': protobuf(maps, () =>
    configMap(bytes(...Array.from({ length: 90_000 }, (_, i) => field(2, field(1, Buffer.from(`k${i}`))))))
  ),
  'Protobuf with a schema of depth 200': protobuf(definitions, () => crd(nestedSchema(200))),
  'Protobuf with a schema of depth 9,000': protobuf(definitions, () => crd(nestedSchema(9000))),
  'Protobuf with a schema of depth 100,000': protobuf(definitions, () => crd(nestedSchema(20_000))),
  'Protobuf with strings that are no UTF-8': protobuf(maps, () =>
    configMap(repeated(field(2, field(1, Buffer.alloc(100, 0xff))), 25_000))
  ),
  'YAML of 1,400,000 empty items': yaml(() => `data:\n${'-\n'.repeat(1_400_000)}`),
  'YAML of 200,000 keys': yaml(() => many(200_000, i => `k${i}: v`, '\n')),
  'YAML of equal keys': yaml(() => 'k: v\n'.repeat(500_000)),
  'YAML of 500,000 documents': yaml(() => '---\na: b\n'.repeat(300_000)),
  'YAML of 100,000 anchors': yaml(() => `a: [${many(100_000, i => `&a${i} x`)}]`),
  'YAML with merge keys': yaml(() => `a: &a {b: c}\n${many(50_000, i => `k${i}: {<<: *a}`, '\n')}`),
  'YAML with one scalar of 2,900,000 escapes': yaml(() => `a: "${'\\n'.repeat(1_400_000)}"`),
  'YAML of block indentation of depth 2,000': yaml(() => many(2000, i => `${' '.repeat(i)}a:`, '\n')),
  'YAML with 1,400,000 comments': yaml(() => '#\n'.repeat(1_400_000)),
  '30 YAMLs of 3 MB at a time': async target => {
    const body = many(200_000, i => `k${i}: v`, '\n')
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => target.send('POST', maps, body, { 'content-type': 'application/yaml' }))
    )
    return answers.map(({ status }) => status).join()
  },
  'JSON with a number of 2,900,000 digits': json(
    () => `{"apiVersion":"bodies.example.com/v1","kind":"Wide","metadata":{"name":"digits"},"spec":${'1'.repeat(2_900_000)}}`,
    wides
  ),
  'JSON with 150,000 numbers of 18 digits': json(
    () =>
      `{"apiVersion":"bodies.example.com/v1","kind":"Wide","metadata":{"name":"longs"},"spec":[${many(99_000, () => '9007199254740993000')}]}`,
    wides
  ),
  'JSON with 480,000 lone surrogates': json(() => `{"metadata":{"name":"s"},"data":{"a":"${'\\ud800'.repeat(480_000)}"}}`),
  'JSON with 99,000 unknown fields, strict': json(
    () => `{"metadata":{"name":"u"},${many(49_000, i => `"f${i}":[]`)}}`,
    `${maps}?fieldValidation=Strict`
  ),
  'JSON with 50,000 equal keys, strict': json(
    () => `{"metadata":{"name":"u"},${many(50_000, () => '"data":{}')}}`,
    `${maps}?fieldValidation=Strict`
  ),
  'JSON with objects that repeat keys, strict': json(
    () =>
      `{"apiVersion":"bodies.example.com/v1","kind":"Wide","metadata":{"name":"twice"},"spec":[${many(30_000, i => `{"a${i}":1,"a${i}":2}`)}]}`,
    `${wides}?fieldValidation=Strict`
  ),
  'JSON with 30,000 exponents': json(
    () => `{"apiVersion":"bodies.example.com/v1","kind":"Wide","metadata":{"name":"e"},"spec":[${many(90_000, () => '1e308')}]}`,
    wides
  ),
  'JSON with a key of 2,900,000 characters': json(() => `{"metadata":{"name":"k"},"data":{"${'k'.repeat(2_900_000)}":""}}`),
  'JSON with labels of 50,000 keys': json(() => `{"metadata":{"name":"l","labels":{${many(50_000, i => `"k${i}":"v"`)}}}}`),
  'JSON with annotations of 50,000 wrong keys': json(
    () => `{"metadata":{"name":"l","annotations":{${many(50_000, i => `"k ${i}":"v"`)}}}}`
  ),
  'JSON with 50,000 finalizers': json(() => `{"metadata":{"name":"l","finalizers":[${many(50_000, i => `"a/k${i}"`)}]}}`),
  'JSON with 50,000 owners': json(
    () =>
      `{"metadata":{"name":"l","ownerReferences":[${many(20_000, i => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}"}`)}]}}`
  )
}
