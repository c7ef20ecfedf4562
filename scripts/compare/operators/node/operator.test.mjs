import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { hasControllerReference, runOperator } from 'binnacle/operator'
import { until, useServer } from 'binnacle/testing'
import { courses, operator } from './operator.mjs'

const definition = readFileSync(new URL('../config/courses.yaml', import.meta.url), 'utf8')
let client
let running
useServer({
  isolate: 'none',
  async setup(server) {
    await server.apply(definition)
    client = server.client()
    running = runOperator(operator, { client, leaderElection: false })
    await running.elected
  }
})
after(() => running.stop())
const room = name => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `room-${name}` } })
const make = (name, seats) => client.of(courses).create({ metadata: { name }, spec: { seats } })

test('a course gets a room and becomes ready', async () => {
  const course = await make('algebra', 20)
  await until(client, course, { condition: 'Ready' })
  const { data, metadata } = await until(client, room('algebra'), ({ data }) => data?.seats === '20')
  assert.ok(hasControllerReference({ metadata, data }, course))
})

test('a room that is deleted or changed is mended again', async () => {
  await make('history', 10)
  const first = await until(client, room('history'), () => true)
  await client.of('v1', 'ConfigMap').delete(first)
  await until(client, room('history'), ({ metadata }) => metadata.uid !== first.metadata.uid)
  await client.of('v1', 'ConfigMap').patch('room-history', { data: { seats: 'none' } })
  await until(client, room('history'), ({ data }) => data?.seats === '10')
})

test('a course that changes changes its room', async () => {
  const course = await until(client, await make('physics', 5), ({ status }) => status?.seats === 5)
  await client.of(courses).patch(course, { spec: { seats: 6 } })
  await until(client, room('physics'), ({ data }) => data?.seats === '6')
})

test('a course that goes is archived', async () => {
  const course = await until(client, await make('latin', 7), { condition: 'Ready' })
  await client.of(courses).delete(course)
  await until(client, course, { deleted: true })
  const { data } = await client.of('v1', 'ConfigMap').get('archive')
  assert.equal(data.latin, '7')
})
