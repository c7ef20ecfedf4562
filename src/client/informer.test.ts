import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Informer } from '../index.js'
import { withoutManagedFields } from './informer.js'
import { portless, widgets } from './testing/portless.js'

/** What an informer says, in order, with a way to wait for it. */
function heard(informer: Informer<any>) {
  const events: string[] = []
  let wake = () => {}
  const hear = (event: string) => (object: any) => {
    events.push(`${event} ${object.metadata.name}`)
    wake()
  }
  for (const event of ['add', 'update', 'delete'] as const) informer.on(event as 'add', hear(event))
  return async (count: number): Promise<string[]> => {
    while (events.length < count) await new Promise<void>(resolve => (wake = resolve))
    return events.splice(0)
  }
}
const selected = { namespace: 'default', labelSelector: { app: 'x' } }
const map = (name: string, app = 'x') => ({ metadata: { name, labels: { app } } })

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

describe('an informer', () => {
  test('has the selected objects, and says how they change', async t => {
    const maps = (await portless(t)).client().of('v1', 'ConfigMap')
    await maps.create(map('a'))
    await maps.create(map('other', 'y'))
    using informer = maps.informer(selected)
    const next = heard(informer)
    await informer.synced
    assert.deepEqual(await next(1), ['add a'])
    await maps.create(map('b'))
    await maps.patch('a', { data: { colour: 'red' } })
    await maps.delete('b')
    assert.deepEqual(await next(3), ['add b', 'update a', 'delete b'])
    assert.equal(informer.get('a')?.data?.colour, 'red')
    assert.deepEqual(
      informer.list().map(({ metadata }) => metadata.name),
      ['a']
    )
  })

  test('keeps what its transform leaves of objects', async t => {
    const maps = (await portless(t)).client().of('v1', 'ConfigMap')
    const first = await maps.create(map('a'))
    assert.ok(first.metadata.managedFields)
    using informer = maps.informer({ ...selected, transform: withoutManagedFields })
    const next = heard(informer)
    await informer.synced
    await next(1)
    const fieldsOf = (name: string) => Object.keys(informer.get(name)?.metadata ?? {}).includes('managedFields')
    assert.equal(fieldsOf('a'), false)
    await maps.patch('a', { data: { colour: 'red' } })
    await next(1)
    assert.deepEqual([fieldsOf('a'), informer.get('a')?.data?.colour], [false, 'red'])
    informer.learn(await maps.create(map('b')))
    assert.deepEqual([fieldsOf('b'), informer.get('b')?.metadata.name], [false, 'b'])
    const gone = new Promise<object>(resolve => informer.on('delete', ({ metadata }) => resolve(metadata)))
    await maps.delete('a')
    assert.equal('managedFields' in (await gone), false)
  })

  test('survives a restore, after which it has what the server has', async t => {
    const server = await portless(t)
    const maps = server.client().of('v1', 'ConfigMap')
    await maps.create(map('a'))
    await maps.create(map('gone'))
    const snapshot = await server.snapshot()
    using informer = maps.informer(selected)
    const next = heard(informer)
    await informer.synced
    await next(2)
    await maps.create(map('later'))
    await maps.delete('gone')
    await maps.patch('a', { data: { colour: 'red' } })
    await next(3)
    await server.restore(snapshot)
    assert.deepEqual(await next(3), ['delete later', 'update a', 'add gone'])
    assert.equal(informer.get('a')?.data, undefined)
    await maps.create(map('new'))
    assert.deepEqual(await next(1), ['add new'])
  })

  test('waits for a kind that is not defined yet, and says what it waits for', async t => {
    const server = await portless(t)
    using informer = server.client().untyped('example.com/v1', 'Widget').informer()
    const failed = new Promise(resolve => informer.on('error', resolve))
    assert.match(String(await failed), /page not found/)
    await server.apply(widgets())
    await informer.synced
    const next = heard(informer)
    await server.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } })
    assert.deepEqual(await next(1), ['add a'])
  })

  test('finds objects that lie in no namespace, and ends with the server', async t => {
    const server = await portless(t)
    const informer = server.client().of('v1', 'Namespace').informer()
    await informer.synced
    assert.equal(informer.get('kube-system')?.metadata.name, 'kube-system')
    await server.stop()
    const late = server.client().of('v1', 'Namespace').informer()
    await assert.rejects(late.synced, /stopped/)
  })
})

describe('an index', () => {
  test('finds objects by keys, as they change', async t => {
    const maps = (await portless(t)).client().of('v1', 'ConfigMap')
    await maps.create({ metadata: { name: 'a' }, data: { colour: 'red' } })
    using informer = maps.informer({ namespace: 'default' })
    const byColour = informer.index(({ data }) => Object.values(data ?? {}))
    const names = (colour: string) => byColour(colour).map(({ metadata }) => metadata.name)
    await informer.synced
    assert.deepEqual(names('red'), ['a'])
    const next = heard(informer)
    await maps.create({ metadata: { name: 'b' }, data: { colour: 'red', other: 'blue' } })
    await maps.patch('a', { data: { colour: 'green' } })
    await next(2)
    assert.deepEqual([names('red'), names('blue'), names('green')], [['b'], ['b'], ['a']])
    await maps.patch('a', { data: { other: 'grey' } })
    await next(1)
    assert.deepEqual([byColour('green').map(({ data }) => data?.other), names('grey')], [['grey'], ['a']])
    await maps.delete('b')
    await next(1)
    assert.deepEqual([names('red'), names('blue'), names('green')], [[], [], ['a']])
  })
})

describe('an informer that learns', () => {
  test('shows a write at once, and passes over what is older', async t => {
    const maps = (await portless(t)).client().of('v1', 'ConfigMap')
    using informer = maps.informer({ namespace: 'default' })
    await informer.synced
    const next = heard(informer)
    const first = await maps.create({ metadata: { name: 'a' }, data: { colour: 'red' } })
    const second = await maps.patch('a', { data: { colour: 'green' } })
    informer.learn(second)
    assert.equal(informer.get('a')?.data?.colour, 'green')
    informer.learn(first)
    assert.equal(informer.get('a')?.data?.colour, 'green')
    await maps.create({ metadata: { name: 'b' } })
    assert.deepEqual(await next(2), ['add a', 'add b'])
    assert.equal(informer.get('a')?.data?.colour, 'green')
  })

  test('forgets what has been deleted', async t => {
    const maps = (await portless(t)).client().of('v1', 'ConfigMap')
    using informer = maps.informer({ namespace: 'default' })
    await informer.synced
    const next = heard(informer)
    informer.learn(await maps.create({ metadata: { name: 'a' } }))
    await maps.delete('a')
    informer.learn(await maps.create({ metadata: { name: 'a' } }))
    await maps.create({ metadata: { name: 'b' } })
    assert.deepEqual(await next(4), ['add a', 'delete a', 'add a', 'add b'])
    assert.ok(informer.get('a') && informer.get('b'))
  })
})
