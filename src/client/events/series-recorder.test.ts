import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '../../apimachinery/api/generated/events-v1.js'
import type { StatusError } from '../../apimachinery/status/status.js'
import * as errors from '../../apimachinery/status/status.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { SeriesRecorder } from './series-recorder.js'

const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web', namespace: 'team', uid: '1', resourceVersion: '7' } }
const failed = (note: string, regarding: object = pod) =>
  ({ regarding, type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note }) as Parameters<
    SeriesRecorder['record']
  >[0]

function recorderWith() {
  const clock = new FakeClock()
  const writes: string[] = []
  const created: Event[] = []
  let isGone = false
  const client = {
    of: () => ({
      async create(event: Event) {
        created.push(event)
        writes.push(`create ${event.note} ${event.series?.count ?? ''}`.trim())
        return event
      },
      async patch(_: object, { series }: Event) {
        if (isGone) throw notFound
        writes.push(`patch ${series?.count} ${series?.lastObservedTime}`)
      }
    })
  }
  const log = { error() {}, warn() {}, info() {} }
  const recorder = new SeriesRecorder({ controller: 'default-scheduler', host: 'here', client: client as never, clock, log })
  return { clock, writes, created, recorder, lose: () => (isGone = true) }
}
const notFound: StatusError = errors.notFound({ group: 'events.k8s.io', resource: 'events' }, 'web')

describe('a recorder of series', () => {
  test('writes an Event as client-go does', async () => {
    const { recorder, created, clock } = recorderWith()
    recorder.record({ ...failed('no room'), related: { ...pod, metadata: { ...pod.metadata, name: 'other' } } })
    await clock.pass(0)
    const reference = { kind: 'Pod', namespace: 'team', name: 'web', uid: '1', apiVersion: 'v1', resourceVersion: '7' }
    assert.deepEqual(created, [
      {
        metadata: { name: `web.${(BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n).toString(16)}`, namespace: 'team' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController: 'default-scheduler',
        reportingInstance: 'default-scheduler-here',
        action: 'Scheduling',
        reason: 'FailedScheduling',
        regarding: reference,
        related: { ...reference, name: 'other' },
        note: 'no room',
        type: 'Warning'
      }
    ])
  })

  test('makes a series of what happens again, and writes its count at its end', async () => {
    const { recorder, writes, clock } = recorderWith()
    for (const note of ['one', 'two', 'three', 'four']) {
      recorder.record(failed(note))
      await clock.pass(1000)
    }
    assert.deepEqual(writes, ['create one', 'patch 2 2026-01-01T00:00:01.000000Z'])
    await clock.pass(720_000)
    assert.deepEqual(writes.slice(2), ['patch 4 2026-01-01T00:00:03.000000Z'])
    recorder.record(failed('five'))
    await clock.pass(0)
    assert.deepEqual(writes.slice(3), ['create five'])
  })

  test('tells apart other states of an object, as they are other references', async () => {
    const { recorder, writes, clock } = recorderWith()
    recorder.record(failed('one'))
    recorder.record(failed('two', { ...pod, metadata: { ...pod.metadata, resourceVersion: '8' } }))
    await clock.pass(0)
    assert.deepEqual(writes, ['create one', 'create two'])
  })

  test('writes the count of a long series every half hour', async () => {
    const { recorder, writes, clock } = recorderWith()
    for (let minute = 0; minute <= 30; minute++) {
      recorder.record(failed('again'))
      await clock.pass(60_000)
    }
    assert.deepEqual(writes, ['create again', 'patch 2 2026-01-01T00:01:00.000000Z', 'patch 30 2026-01-01T00:29:00.000000Z'])
  })

  test('begins anew when the Event has expired', async () => {
    const { recorder, writes, clock, lose } = recorderWith()
    recorder.record(failed('one'))
    await clock.pass(0)
    lose()
    recorder.record(failed('two'))
    await clock.pass(0)
    assert.deepEqual(writes, ['create one', 'create one 2'])
  })
})
