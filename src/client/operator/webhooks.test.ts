import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conflict } from '../../apimachinery/status/status.js'
import { defineKind, type KubeObject, kindRef, type StatusError } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { portless } from '../testing/portless.js'
import type { AnyTypes } from '../typed/kind-types.js'
import { defineOperator, defineWebhook, denied, runOperator } from './index.js'

interface Course extends KubeObject {
  spec: { seats?: number; places?: number; id?: unknown }
}
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    { name: 'v1', schema },
    { name: 'v1beta1', schema }
  ]
})
const courses = defineWebhook({
  kind: course,
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  mutate(object, { operation }) {
    if (operation === 'DELETE') throw new Error('a mutating webhook is not asked about deletes')
    if (object.spec.seats === 16) throw new Error('no default for 16')
    object.spec.seats ??= 20
  },
  validate({ spec, metadata }, { operation, old, warn }) {
    if (operation === 'DELETE') {
      if (metadata.labels?.keep) throw denied('it is to be kept')
      return
    }
    if (spec.seats! > 30) throw denied('the room has 30 seats')
    if (spec.seats === 13) throw new Error('bad luck')
    if (spec.seats === 14)
      throw new Error('wrapped', {
        cause: conflict({ group: 'school.example.com', resource: 'courses' }, 'x', 'two courses have this room')
      })
    if (spec.seats === 15) void (spec.id as { text: string }).text
    if (operation === 'UPDATE' && old!.spec.seats !== spec.seats) warn('the seats change')
  }
})
const secrets = defineWebhook({
  kind: kindRef('v1', 'ConfigMap'),
  failurePolicy: 'Ignore',
  mutate: object => ({ ...object, data: { ...object.data, marked: 'yes' } })
})
const operator = defineOperator({
  name: 'school',
  kinds: [course],
  reconcilers: [],
  webhooks: [courses, secrets],
  conversions: [
    {
      kind: course,
      hub: 'v1',
      versions: {
        v1beta1: {
          toHub: ({ spec: { places, ...spec }, ...object }) => ({ ...object, spec: { ...spec, seats: places } }),
          fromHub: ({ spec: { seats, ...spec }, ...object }) => ({ ...object, spec: { ...spec, places: seats } })
        }
      }
    }
  ]
})

describe('webhooks', () => {
  test('change, refuse and convert objects of a server in the process, without any configuration by hand', async t => {
    const server = await portless(t)
    const running = runOperator(operator, { client: server.client(), install: true, leaderElection: false, log: silentLogger })
    t.after(() => running.stop())
    await running.ready
    const client = server.client()
    const v1 = client.of(course)
    const made = await v1.create({ metadata: { name: 'algebra' }, spec: {} })
    assert.equal(made.spec.seats, 20)
    await assert.rejects(v1.create({ metadata: { name: 'botany' }, spec: { seats: 40 } }), (error: StatusError) => {
      assert.equal(error.code, 403)
      assert.match(
        error.message,
        /admission webhook "validate\.v1\.courses\.school\.example\.com" denied the request: the room has 30 seats/
      )
      return true
    })
    const refused = (seats: number): Promise<StatusError> =>
      v1.create({ metadata: { name: 'botany' }, spec: { seats } }).then(
        () => assert.fail('was created'),
        error => error
      )
    for (const [seats, code, reason, message] of [
      [13, 403, 'Forbidden', /denied the request: bad luck$/],
      [
        14,
        409,
        'Conflict',
        /denied the request: Operation cannot be fulfilled on courses\.school\.example\.com "x": two courses have this room$/
      ],
      [15, 500, 'InternalError', /denied the request: Cannot read properties of undefined/],
      [16, 403, 'Forbidden', /denied the request: no default for 16$/]
    ] as const) {
      const { code: got, status, message: text } = await refused(seats)
      assert.deepEqual([got, status.reason], [code, reason])
      assert.match(text, message)
    }
    const { headers } = await client.request({
      method: 'PATCH',
      url: '/apis/school.example.com/v1/namespaces/default/courses/algebra',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { seats: 25 } }
    })
    assert.match(String(headers.warning), /the seats change/)
    await v1.patch('algebra', { metadata: { labels: { keep: 'yes' } } })
    await assert.rejects(v1.delete('algebra'), /it is to be kept/)

    const beta = client.of<Course, AnyTypes>({ apiVersion: 'school.example.com/v1beta1', kind: 'Course' })
    assert.deepEqual((await beta.get('algebra')).spec, { places: 25 })
    await beta.create({ metadata: { name: 'chemistry' }, spec: { places: 7 } })
    assert.deepEqual((await v1.get('chemistry')).spec, { seats: 7 })
    const map = await client.of('v1', 'ConfigMap').create({ metadata: { name: 'a' }, data: { own: '1' } })
    assert.deepEqual(map.data, { own: '1', marked: 'yes' })

    const metrics = await running.metrics()
    assert.match(
      metrics,
      /controller_runtime_webhook_requests_total\{code="200",webhook="\/validate-school-example-com-v1-course"\} \d/
    )
    await running.stop()
    assert.deepEqual((await client.of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration').list()).items, [])
    await client.of('v1', 'ConfigMap').create({ metadata: { name: 'b' } })
  })
})
