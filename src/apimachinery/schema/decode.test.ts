import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decode } from './decode.js'
import { loadSchema } from './load.js'

const type = (name: string) => loadSchema().type(name)
const podSpec = (spec: object) =>
  decode(type('core.v1.Pod'), { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec }).object.spec

describe('decoding into a type', () => {
  test('drops zero values that Go would not write, and keeps those of pointers', () => {
    const { object } = decode(type('apps.v1.Deployment'), {
      spec: { replicas: 0, paused: false, minReadySeconds: 0, selector: {}, template: {} }
    })
    assert.equal(object.spec.replicas, 0)
    assert.ok(!('paused' in object.spec))
    assert.ok(!('minReadySeconds' in object.spec))
  })

  test('writes fields that Go always writes', () => {
    const { object } = decode(type('core.v1.Event'), { metadata: { name: 'e' }, involvedObject: {} })
    assert.deepEqual(object.source, {})
    assert.equal(object.eventTime, null)
    assert.equal(object.reportingComponent, '')
    assert.equal(decode(type('core.v1.Pod'), {}).object.spec.containers, null)
  })

  test('ignores white space around a quantity', () => {
    const { object } = decode(type('core.v1.ResourceQuota'), { spec: { hard: { cpu: ' 1', memory: '1Ki\u00a0' } } })
    assert.deepEqual(object.spec.hard, { cpu: '1', memory: '1Ki' })
  })

  test('makes quantities, times and base64 canonical', () => {
    const spec = podSpec({ containers: [{ name: 'c', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }] })
    assert.deepEqual(spec.containers[0].resources.limits, { cpu: '1', memory: '1Gi' })
    const meta = (creationTimestamp: unknown) =>
      decode(type('meta.v1.ObjectMeta'), { creationTimestamp }).object.creationTimestamp
    assert.equal(meta('2024-01-02T03:04:05+02:00'), '2024-01-02T01:04:05Z')
    assert.equal(meta('2024-01-02T03:04:05.999Z'), '2024-01-02T03:04:05Z')
    assert.equal(
      decode(type('coordination.v1.Lease'), { spec: { renewTime: '2024-01-02T03:04:05.000001Z' } }).object.spec.renewTime,
      '2024-01-02T03:04:05.000001Z'
    )
  })

  test('drops null from fields, and turns it into the zero value in lists and maps', () => {
    const { object } = decode(type('core.v1.ConfigMap'), { metadata: null, data: { a: null, b: 'x' }, immutable: null })
    assert.deepEqual(object, { metadata: {}, data: { a: '', b: 'x' } })
    assert.deepEqual(podSpec({ containers: [null] }).containers, [{ name: '', resources: {} }])
  })

  test('writes maps with sorted keys', () => {
    assert.deepEqual(Object.keys(decode(type('core.v1.ConfigMap'), { data: { b: '1', a: '2', C: '3' } }).object.data), [
      'C',
      'a',
      'b'
    ])
  })

  test('__proto__ is a key like any other', () => {
    const { object } = decode(
      type('core.v1.ConfigMap'),
      JSON.parse('{"data":{"__proto__":"x","constructor":"y"},"__proto__":{"polluted":"1"}}')
    )
    assert.equal(Object.getOwnPropertyDescriptor(object.data, '__proto__')?.value, 'x')
    assert.equal(({} as any).polluted, undefined)
    assert.equal(object.polluted, undefined)
  })

  test('detects unknown fields at any depth', () => {
    assert.equal(decode(type('core.v1.Pod'), { spec: { containers: [{ name: 'c', image: 'i' }] } }).hasUnknown, false)
    assert.equal(decode(type('core.v1.Pod'), { spec: { containers: [{ name: 'c', imagePolicy: 'x' }] } }).hasUnknown, true)
    assert.equal(decode(type('core.v1.ConfigMap'), { Data: {} }).hasUnknown, true)
  })
})

const refused: [string, object, string][] = [
  [
    'core.v1.Pod',
    { spec: { containers: [{ name: 1, ports: [{ hostPort: 'x' }], resources: { limits: { cpu: '' } } }] } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  ],
  [
    'core.v1.Service',
    { spec: { ports: [{ name: 1, targetPort: {} }] } },
    'json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of type int32'
  ],
  [
    'core.v1.Pod',
    { spec: { volumes: [{ configMap: { name: 1 } }] } },
    'json: cannot unmarshal number into Go struct field ConfigMapVolumeSource.spec.volumes.VolumeSource.configMap.LocalObjectReference.name of type string'
  ],
  [
    'core.v1.ConfigMap',
    { data: 'text' },
    'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string'
  ],
  ['core.v1.ConfigMap', { data: { a: 1 } }, 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'],
  [
    'core.v1.ConfigMap',
    { metadata: [] },
    'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta'
  ],
  [
    'core.v1.ConfigMap',
    { metadata: { labels: { a: true } } },
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string'
  ],
  [
    'apps.v1.Deployment',
    { spec: { replicas: 1.5 } },
    'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32'
  ],
  [
    'apps.v1.Deployment',
    { spec: { template: { spec: { containers: [{}, { image: {} }] } } } },
    'json: cannot unmarshal object into Go struct field Container.spec.template.spec.containers.image of type string'
  ],
  ['core.v1.Secret', { data: { a: '?' } }, 'illegal base64 data at input byte 0'],
  [
    'core.v1.Pod',
    { metadata: { creationTimestamp: 'soon' } },
    'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"'
  ],
  [
    'core.v1.Pod',
    { metadata: { creationTimestamp: '2024-13-01T00:00:00Z' } },
    'parsing time "2024-13-01T00:00:00Z": month out of range'
  ]
]

for (const [name, input, message] of refused) {
  test(`refuses ${JSON.stringify(input)} with Go's words`, () => assert.throws(() => decode(type(name), input), { message }))
}

test('the error names the first mistake in the document', () => {
  assert.throws(() => decode(type('core.v1.ConfigMap'), JSON.parse('{"data":5,"metadata":{"name":7}}')), /ConfigMap\.data/)
  assert.throws(
    () => decode(type('core.v1.ConfigMap'), JSON.parse('{"metadata":{"name":7},"data":5}')),
    /ObjectMeta\.metadata\.name/
  )
})

test("times are quoted as Go's time package quotes them", () => {
  const decodeTime = () => decode(loadSchema().type('core.v1.ConfigMap'), { metadata: { creationTimestamp: 'é"' } })
  assert.throws(decodeTime, { message: /^parsing time "\\xc3\\xa9\\"" as "2006-01-02T15:04:05Z07:00": cannot parse/ })
})

test('a MicroTime has six digits, and what follows them should be its zone', () => {
  const renewTime = (text: string) => () => decode(type('coordination.v1.Lease'), { spec: { renewTime: text } })
  const layout = '2006-01-02T15:04:05.000000Z07:00'
  const message = (text: string, rest: string) => ({ message: `parsing time "${text}" as "${layout}": cannot parse ${rest}` })
  const start = '2024-01-02T03:04:05'
  assert.throws(renewTime(`${start}.1234567Z`), message(`${start}.1234567Z`, '"7Z" as "Z07:00"'))
  assert.throws(renewTime(`${start}.12345Z`), message(`${start}.12345Z`, '".12345Z" as ".000000"'))
  assert.throws(renewTime(`${start}Z`), message(`${start}Z`, '"Z" as ".000000"'))
})

test('a number of a time that is out of its range is named before what follows it', () => {
  const renewTime = (text: string) => () => decode(type('coordination.v1.Lease'), { spec: { renewTime: text } })
  for (const [text, what] of [
    ['2024-01-02T03:04:60Z', 'second'],
    ['2024-01-02T03:60:05Z', 'minute'],
    ['2024-01-02T24:00:00Z', 'hour'],
    ['2024-00-01T00:00:00Z', 'month'],
    ['2024-13-01', 'month'],
    ['2024-01-02T03:04:05.000001+25:00', 'time zone offset hour'],
    ['2024-02-30T03:04:05.000001+25:61', 'time zone offset minute'],
    ['2024-02-30T03:04:05.000001+24:60', 'day'],
    ['2024-01-02T03:04:05.000001+25:000', 'time zone offset hour']
  ] as const)
    assert.throws(renewTime(text), { message: `parsing time "${text}": ${what} out of range` })
})

test('the zone of a time is out of its range before it is no number', () => {
  const created = (text: string) => () => decode(type('core.v1.Pod'), { metadata: { creationTimestamp: text } })
  const start = '2024-01-02T03:04:05'
  for (const zone of ['+25:.00', '+25:x0Z', '_25:00'])
    assert.throws(created(start + zone), { message: `parsing time "${start}${zone}": time zone offset hour out of range` })
  assert.throws(created(`${start}_00:61`), { message: /: time zone offset minute out of range$/ })
  for (const zone of ['+x5:61', '+24:.00', '_24:00'])
    assert.throws(created(start + zone), { message: /cannot parse ".*" as "Z07:00"$/ })
})

test('microseconds may have a sign', () => {
  const renewed = (text: string) => decode(type('coordination.v1.Lease'), { spec: { renewTime: text } }).object.spec.renewTime
  assert.equal(renewed('2024-01-02T03:04:05.+12345Z'), '2024-01-02T03:04:05.012345Z')
  assert.equal(renewed('2024-01-02T03:04:05.-00000Z'), '2024-01-02T03:04:05.000000Z')
  assert.throws(() => renewed('2024-01-02T03:04:05.-12345Z'), { message: /: fractional second out of range$/ })
})

test('an hour may have one digit', () => {
  const start = (text: string) => decode(type('core.v1.Pod'), { status: { startTime: text } }).object.status.startTime
  assert.equal(start('2024-01-02T3:04:05Z'), '2024-01-02T03:04:05Z')
  assert.throws(() => start('2024-01-02T2.3:59:60Z'), /cannot parse ".3:59:60Z" as ":"/)
})

test('around a quantity may be spaces, but nothing that JSON escapes', () => {
  const limit = (cpu: string) => decode(type('core.v1.ResourceQuota'), { spec: { hard: { cpu } } }).object.spec.hard.cpu
  assert.equal(limit(' 1 '), '1')
  assert.equal(limit('\u2003 1\u00a0'), '1')
  // a step for each pair of spaces would take minutes
  for (const wrong of ['\n1', '1\t', `1${' '.repeat(1_000_000)}1`])
    assert.throws(() => limit(wrong), /quantities must match the regular expression/)
})

test('years have four digits or more', () => {
  const decoded = (text: string) => {
    const event = { eventTime: text.replace('Z', '.000001Z').replace('-01:00', '.000001-01:00'), lastTimestamp: text }
    const { eventTime, lastTimestamp } = decode(type('core.v1.Event'), event).object as any
    return [lastTimestamp, eventTime]
  }
  assert.deepEqual(decoded('9999-12-31T23:59:59-01:00'), ['10000-01-01T00:59:59Z', '10000-01-01T00:59:59.000001Z'])
  assert.deepEqual(decoded('0000-01-02T00:00:00Z'), ['0000-01-02T00:00:00Z', '0000-01-02T00:00:00.000001Z'])
  const before = decode(type('core.v1.Event'), { lastTimestamp: '0000-01-01T00:00:00+01:00' }).object as any
  assert.equal(before.lastTimestamp, '-0001-12-31T23:00:00Z')
})

test('amounts are rounded up to thousandths, but for those of RuntimeClasses', () => {
  const overhead = { cpu: '1n' }
  const pod = decode(type('core.v1.Pod'), { spec: { containers: [], overhead } }).object as any
  assert.deepEqual(pod.spec.overhead, { cpu: '1m' })
  const runtimeClass = decode(type('node.v1.RuntimeClass'), { handler: 'h', overhead: { podFixed: overhead } }).object as any
  assert.deepEqual(runtimeClass.overhead.podFixed, overhead)
})

test('errors in the kind of an object within another name what Go embeds', () => {
  const claim = { kind: 1 }
  assert.throws(
    () => decode(type('apps.v1.StatefulSet'), { spec: { volumeClaimTemplates: [claim] } }),
    /PersistentVolumeClaim\.spec\.volumeClaimTemplates\.TypeMeta\.kind of type string/
  )
})

test('items of a JSON schema are a schema or schemas; anything else is none', () => {
  const items = (value: unknown) => decode(type('apiextensions.v1.JSONSchemaProps'), { type: 'array', items: value }).object
  for (const none of ['a', 7, true, []]) assert.deepEqual(items(none), { type: 'array' })
  assert.deepEqual(items({ type: 'string' }), { type: 'array', items: { type: 'string' } })
  assert.deepEqual(items([{ type: 'string' }]), { type: 'array', items: [{ type: 'string' }] })
})
