import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, settle } from '../../schema/decode.js'
import { loadSchema } from '../../schema/load.js'
import { decodeMessage } from './decode.js'
import { encodeMessage } from './encode.js'
import { unwrap } from './envelope.js'
import { encodeProtobuf } from './object.js'
import { randomObject, seeded } from './testing/random-object.js'
import { wrappedScalar } from './wrapped-scalars.js'

const schema = loadSchema()
/** Types of whole objects. WatchEvent is left out, because it occurs only as a frame. */
const kinds = schema
  .names()
  .map(name => schema.type(name))
  .filter(type => type.gvks.length > 0 && type.name !== 'meta.v1.WatchEvent')

test('objects of every kind survive a round trip through Protobuf', () => {
  kinds.forEach((type, i) => {
    const random = seeded(i)
    for (let round = 0; round < 3; round++) {
      const { object } = decode(type, randomObject(type, random))
      const message = encodeMessage(type, object)
      // Protobuf does not distinguish an empty list from none
      settle(type, object)
      const { kind, apiVersion } = object
      assert.deepEqual(decode(type, { kind, apiVersion, ...decodeMessage(type, message) }).object, object, type.name)
    }
  })
})

test('every field of every kind has a number, and lists have their items in field 2', () => {
  for (const type of kinds) {
    for (const { name, proto } of type.fields) {
      if (name !== 'kind' && name !== 'apiVersion') assert.ok(proto.length > 0, `${type.name}.${name}`)
    }
    const items = type.name.endsWith('List') ? type.byName.get('items') : undefined
    if (items) assert.deepEqual([type.byName.get('metadata')!.proto, items.proto], [[1], [2]], type.name)
  }
})

/** Objects, and the bytes to which Kubernetes' own Go types marshal them. */
const golden: [object: any, hex: string][] = [
  [
    {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'c', labels: { b: '2', a: 'ü' } },
      immutable: false,
      data: { k: '' },
      binaryData: { b: 'AP8=' }
    },
    '6b3873000a0f0a0276311209436f6e6669674d617012360a220a016312001a0022002a003200380042005a070a01611202c3bc5a060a016212013212050a016b12001a070a0162120200ff20001a002200'
  ],
  [
    {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', creationTimestamp: '2024-05-06T07:08:09Z' },
      spec: {
        volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }],
        containers: [{ name: 'c', resources: { limits: { cpu: '100m' } }, livenessProbe: { httpGet: { port: 'http' } } }]
      }
    },
    '6b3873000a090a0276311203506f6412ac010a190a017012001a0022002a0032003800420808d983e2b1061000127a0a100a0176120b12090a0012050a03314769124a0a016312002a00420f0a0d0a0363707512060a043130306d52200a1412120a00120a080110001a04687474701a002200100018002000280030006a007200800100880100900100a201001a00320042004a0052005800600068008201008a01009a0100c201001a130a001a0022002a0032004a005a0072008801001a002200'
  ],
  [
    {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: 'l' },
      spec: { holderIdentity: '', leaseDurationSeconds: -1, renewTime: '1969-12-31T23:59:59.250000Z' }
    },
    '6b3873000a1f0a16636f6f7264696e6174696f6e2e6b38732e696f2f763112054c6561736512340a110a016c12001a0022002a00320038004200121f0a0010ffffffffffffffffff01221008ffffffffffffffffff011080e59a771a002200'
  ],
  [
    {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { user: 'u', extra: { b: [], a: ['x', 'y'] } },
      status: { allowed: false }
    },
    '6b3873000a2e0a17617574686f72697a6174696f6e2e6b38732e696f2f763112135375626a65637441636365737352657669657712370a100a0012001a0022002a0032003800420012191a01752a0b0a016112060a01780a01792a050a0162120032001a08080012001a0020001a002200'
  ],
  [
    { kind: 'ControllerRevision', apiVersion: 'apps/v1', metadata: {}, data: { spec: { a: 1 } }, revision: 9007199254740991 },
    '6b3873000a1d0a07617070732f76311212436f6e74726f6c6c65725265766973696f6e122f0a100a0012001a0022002a0032003800420012120a107b2273706563223a7b2261223a317d7d18ffffffffffffff0f1a002200'
  ],
  [
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: {},
      spec: {
        group: 'g',
        names: { plural: 'p', kind: 'K' },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                items: { type: 'string' },
                additionalProperties: false,
                default: { a: 1 },
                minimum: 0.5,
                'x-kubernetes-int-or-string': true
              }
            }
          }
        ]
      }
    },
    '6b3873000a330a17617069657874656e73696f6e732e6b38732e696f2f76311218437573746f6d5265736f75726365446566696e6974696f6e12ad010a100a0012001a0022002a00320038004200128a010a01671a0a0a0170120022014b2a002207436c75737465723a6e0a0276311001180122620a600a00120022002a0032003a0042090a077b2261223a317d500059000000000000e03f60007a00900100c201260a240a00120022002a06737472696e6732003a00500060007a00900100a80200b80200c00200f201020800a80200b80200c00201380050001a0c12080a00120022002a0020001a002200'
  ],
  [
    {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'v1',
      resources: [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get', 'list'] }]
    },
    '6b3873000a150a027631120f4150495265736f757263654c697374122b0a02763112250a04706f647310011a03506f64220b0a036765740a046c6973743203706f6442004a0052001a002200'
  ],
  [
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'm',
      reason: 'NotFound',
      details: { name: 'n', kind: 'pods' },
      code: 404
    },
    '6b3873000a0c0a027631120653746174757312320a060a0012001a0012074661696c7572651a016d22084e6f74466f756e642a0f0a016e12001a04706f6473280032003094031a002200'
  ]
]
for (const [object, hex] of golden) {
  test(`${object.kind} has the bytes that Kubernetes' Go types produce`, () => {
    assert.equal(encodeProtobuf(object).toString('hex'), hex)
    const { kind, apiVersion, message } = unwrap(Buffer.from(hex, 'hex'))
    const type = kinds.find(t => t.gvks[0]!.kind === kind)!
    assert.deepEqual(decode(type, { kind, apiVersion, ...decodeMessage(type, message) }).object, settled(type, object))
  })
}

function settled(type: (typeof kinds)[number], input: object): object {
  const { object } = decode(type, input)
  settle(type, object)
  return object
}

test('a message in two parts is merged, and unknown fields are skipped', () => {
  const type = schema.type('core.v1.ConfigMap')
  const part = (hex: string) => Buffer.from(hex, 'hex')
  // field 99: a varint, a fixed64, bytes, a group with a field, a fixed32
  const unknown = part(`98068001${'99060102030405060708'}${'9a060161'}${'9b060801' + '9c06'}${'9d0601020304'}`)
  const message = Buffer.concat([encodeMessage(type, { metadata: { name: 'a' } }), unknown, part('0a055a030a016b')])
  const { metadata } = decode(type, decodeMessage(type, message)).object
  assert.deepEqual(metadata, { name: 'a', labels: { k: '' } })
})

test('keys such as __proto__ are ordinary keys', () => {
  const type = schema.type('core.v1.ConfigMap')
  const data = JSON.parse('{"__proto__":"x","constructor":"y"}')
  const back = decodeMessage(type, encodeMessage(type, { metadata: {}, data }))
  assert.deepEqual(Object.entries(back.data as object), [
    ['__proto__', 'x'],
    ['constructor', 'y']
  ])
})

test('integers beyond 2^53 keep their digits', () => {
  const type = schema.type('apps.v1.ControllerRevision')
  for (const revision of [2n ** 63n - 1n, 2n ** 53n + 1n, -(2n ** 63n), -(2n ** 53n) - 1n, Number.MAX_SAFE_INTEGER, -1]) {
    assert.equal(decodeMessage(type, encodeMessage(type, { metadata: {}, revision })).revision, revision)
  }
})

test('times before the year 1 and after 9999 have their seconds', () => {
  const seconds = (scalar: 'time' | 'microTime', text: string) => wrappedScalar(scalar)!.wrap(text)
  assert.deepEqual(seconds('time', '10000-01-01T00:59:59Z'), { seconds: 253402304399, nanos: 0 })
  assert.deepEqual(seconds('time', '-0001-12-31T23:00:00Z'), { seconds: -62167222800, nanos: 0 })
  assert.deepEqual(seconds('microTime', '10000-01-01T00:59:59.000001Z'), { seconds: 253402304399, nanos: 1000 })
})
