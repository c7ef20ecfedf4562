import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../testkit/admission.js'
import type { EventRateLimit, LimitType } from '../configuration/event-rate-limits.js'
import { eventRateLimit } from './event-rate-limit.js'

const clock = { now: () => 0 } as never
const limit = (type: LimitType, burst = 1) => ({ type, qps: 1, burst, cacheSize: 10 }) as EventRateLimit
const event = (component: string, of: object = {}) => ({ metadata: { name: 'e' }, source: { component }, involvedObject: of })
const plugin = (...limits: EventRateLimit[]) => {
  const limited = eventRateLimit(limits, clock)
  return async (object: object, more: object = {}) => (await attempt(limited, { resource: 'events', object, ...more })).refused
}

test('an event beyond the burst of a limit is refused, which the type and key of the limit name', async () => {
  const send = plugin(limit('Server', 2))
  assert.deepEqual([await send(event('a')), await send(event('b'))], [undefined, undefined])
  assert.match((await send(event('a')))!, /limit reached on type Server for key $/)
})

test('each limit counts by its own key', async () => {
  for (const [type, other, key] of [
    ['Namespace', { namespace: 'other' }, 'default'],
    ['User', { user: { name: 'bob', groups: [] } }, 'alice'],
    ['SourceAndObject', { object: event('b') }, 'aPodp']
  ] as const) {
    const send = plugin(limit(type))
    const object = event('a', { kind: 'Pod', name: 'p' })
    assert.equal(await send(object), undefined)
    assert.ok((await send(object))!.endsWith(`limit reached on type ${type} for key ${key}`), type)
    assert.equal(await send(object, other), undefined, type)
  }
})

test('an event counts for every limit, and a dry run for none', async () => {
  const send = plugin(limit('Server'), limit('User'))
  for (let i = 0; i < 3; i++) assert.equal(await send(event('a'), { dryRun: true }), undefined)
  assert.equal(await send(event('a'), { operation: 'UPDATE' }), undefined)
  assert.match((await send(event('a')))!, /\[limit reached on type Server for key , limit reached on type User for key alice\]$/)
})
