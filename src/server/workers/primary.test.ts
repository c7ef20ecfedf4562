import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { Peer } from './peer.js'
import { Primary } from './primary.js'
import { channel, settled } from './testing/channel.js'

function started(answers: Record<string, (content: any) => unknown> = {}) {
  const [here, there] = channel()
  const told: [string, unknown][] = []
  const note = (what: string) => (content: unknown) => void told.push([what, content])
  const peer = new Peer(there, { port: () => 6443, leave: note('leave'), closed: note('closed'), ...answers })
  const primary = new Primary(here as unknown as NodeJS.Process, { stop() {}, reload: async () => {} })
  const hand = (socket: Socket | undefined) => peer.ask('connection', undefined, socket)
  return { primary, told, hand }
}

test('connections are taken until this process leaves, and their ends are told', async () => {
  const { primary, told, hand } = started()
  const taken: Socket[] = []
  const sockets = Array.from({ length: 3 }, () => new Socket())
  assert.equal(await primary.connections.begin(socket => taken.push(socket)), 6443)
  for (const socket of sockets) await hand(socket)
  assert.deepEqual(taken, sockets)
  for (const socket of sockets.slice(0, 2)) socket.destroy()
  await settled()
  assert.deepEqual(told, [['closed', 2]])
  // its client has closed it while it was handed over
  await hand(undefined)
  await settled()
  assert.deepEqual(told.slice(1), [['closed', 1]])
  await primary.connections.end()
  assert.deepEqual(told.slice(2), [['leave', undefined]])
  const late = new Socket()
  await hand(late)
  assert.ok(late.destroyed)
  assert.equal(taken.length, 3)
  await settled()
  assert.deepEqual(told.slice(3), [['closed', 1]])
})

test('lines of the audit log that the first process does not take are bounded', async () => {
  const { primary } = started({ audit: () => new Promise(() => {}) })
  const line = 'x'.repeat(33 * 1024 * 1024)
  void primary.audit.write(line)
  void primary.audit.write(line)
  await assert.rejects(async () => primary.audit.write('y'), /does not take more/)
})
