import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../index.js'
import { portless } from './testing/portless.js'

const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
const named = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } } as const

describe('until', () => {
  test('resolves with the object when a function holds, at once or after a change', async t => {
    const client = (await portless(t)).client()
    const pods = client.of('v1', 'Pod')
    const existing = until(client, named, ({ status }) => status.phase === 'Running')
    const made = await pods.create(pod)
    await pods.subresource('status').patch('web', { status: { phase: 'Running' } })
    assert.equal((await existing).status.phase, 'Running')
    assert.equal((await until(client, made, ({ status }) => status.phase === 'Running')).metadata.uid, made.metadata.uid)
  })

  test('waits for a condition, and for the end of an object', async t => {
    const client = (await portless(t)).client()
    const pods = client.of('v1', 'Pod')
    const made = await pods.create(pod)
    const ready = until(client, named, { condition: 'Ready' })
    await pods.subresource('status').patch('web', { status: { conditions: [{ type: 'Ready', status: 'False' }] } })
    await until(client, named, { condition: 'Ready', status: 'False' })
    await pods.subresource('status').patch('web', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })
    assert.equal((await ready).status.conditions?.[0]?.status, 'True')
    const gone = until(client, made, { deleted: true })
    await pods.delete('web', { gracePeriodSeconds: 0 })
    assert.equal((await gone).metadata.name, 'web')
    await pods.create(pod)
    // another object of the same name
    await until(client, made, { deleted: true })
  })

  test('goes on after a restore', async t => {
    const server = await portless(t)
    const client = server.client()
    const snapshot = await server.snapshot()
    const made = until(client, named, () => true)
    await server.restore(snapshot)
    await client.of('v1', 'Pod').create(pod)
    assert.equal((await made).metadata.name, 'web')
  })

  test('rejects with the last state of the object', async t => {
    const client = (await portless(t)).client()
    const short = { timeout: 50 }
    await assert.rejects(until(client, named, { condition: 'Ready' }, short), {
      message: 'Pod "web": the condition Ready is not True after 50 ms; the object does not exist'
    })
    const made = await client.of('v1', 'Pod').create(pod)
    await assert.rejects(
      until(client, made, () => false, short),
      (error: Error) => {
        assert.match(error.message, /^Pod "default\/web": the condition does not hold after 50 ms; its last state: \{\n/)
        assert.match(error.message, /"phase": "Pending"/)
        assert.doesNotMatch(error.message, /managedFields/)
        return true
      }
    )
    await assert.rejects(until(client, made, { deleted: true }, short), /the object still exists after/)
    await assert.rejects(
      until(client, made, () => {
        throw new Error('a mistake')
      }),
      /a mistake/
    )
  })

  test('rejects when the server stops', async t => {
    const server = await portless(t)
    const waiting = until(server.client(), named, () => true)
    const rejected = assert.rejects(waiting, /not running/)
    await server.stop()
    await rejected
  })
})
