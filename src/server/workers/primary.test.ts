import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import type { PassOn } from '../../apiserver/recorder/recorder.js'
import { TokenError } from '../../auth/authentication/authenticator.js'
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

test('sessions are asked for each time, and only for tokens of the console', async () => {
  let user: object | undefined = { user: { name: 'alice', groups: [] } }
  const asked: unknown[] = []
  const { primary } = started({
    redeem: code => (code === 'good' ? { token: 't', until: 1 } : undefined),
    session: token => {
      asked.push(token)
      return user
    },
    endSession: token => token === 'binnacle-console-a'
  })
  const { sessions } = primary
  assert.deepEqual(await sessions.redeem('good'), { token: 't', until: 1 })
  assert.equal(await sessions.redeem('bad'), undefined)
  assert.equal(sessions.authenticateToken('another'), undefined)
  assert.deepEqual(await sessions.authenticateToken('binnacle-console-a'), user)
  assert.deepEqual([await sessions.end('binnacle-console-a'), await sessions.end('binnacle-console-b')], [true, false])
  user = undefined
  await assert.rejects(async () => sessions.authenticateToken('binnacle-console-a'), TokenError)
  assert.deepEqual(asked, ['binnacle-console-a', 'binnacle-console-a'])
})

test('records that the first process does not take are dropped beyond a limit', async () => {
  let taken = 0
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const { primary } = started({
    record: () => {
      taken++
      return gate
    }
  })
  const entry = { bytes: 1024 * 1024 } as Parameters<PassOn>[0]
  for (let i = 0; i < 20; i++) primary.record(entry)
  await settled()
  assert.equal(taken, 8)
  release()
  await settled()
  primary.record(entry)
  await settled()
  assert.equal(taken, 9)
})

test('lines of the audit log that the first process does not take are bounded', async () => {
  const { primary } = started({ audit: () => new Promise(() => {}) })
  const line = 'x'.repeat(33 * 1024 * 1024)
  void primary.audit.write(line)
  void primary.audit.write(line)
  await assert.rejects(async () => primary.audit.write('y'), /does not take more/)
})
