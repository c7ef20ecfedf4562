import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { ConsoleSessions } from '../../apiserver/console/sessions.js'
import { systemClock } from '../../util/clock.js'
import { silentLogger } from '../../util/logger.js'
import { Crew, type Services, storePipe, type WorkerProcess } from './crew.js'
import { type Answers, Peer } from './peer.js'
import type { WorkerSettings } from './settings.js'
import { type ChannelEnd, channel, settled } from './testing/channel.js'

/** A worker as this process sees it, and what it does. */
interface Fake {
  readonly child: ChannelEnd
  readonly peer: Peer
  readonly killed: string[]
  exit(): void
}

const services: Services = {
  store: undefined,
  port: () => 6443,
  paths: async () => {
    throw new Error('nobody asks')
  },
  audit: undefined,
  sessions: undefined,
  record: () => {}
}

function crewOf(
  t: TestContext,
  workers: number,
  answers: (number: number) => Answers = () => ({}),
  more: Partial<Services> = {}
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const fakes: Fake[] = []
  const spawn = (number: number): WorkerProcess => {
    const [child, own] = channel()
    const killed: string[] = []
    const stdio: unknown[] = []
    stdio[storePipe] = new PassThrough()
    const peer = new Peer(own, answers(number))
    const exit = () => {
      child.emit('disconnect')
      child.emit('exit', 1, null)
    }
    fakes.push({ child, peer, killed, exit })
    return Object.assign(child, { pid: 100 + fakes.length, stdio, kill: (signal: string) => killed.push(signal) })
  }
  const crew = new Crew({ workers, log: silentLogger, spawn, settings: number => ({ number }) as WorkerSettings })
  const part = crew.part({ ...services, ...more })
  const pass = async (milliseconds: number) => {
    now += milliseconds
    t.mock.timers.tick(milliseconds)
    await settled()
  }
  const start = async () => {
    const before = fakes.length
    const started = part.start!()
    await serving(fakes, before)
    await started
  }
  return { crew, part, fakes, pass, start }
}

async function serving(fakes: readonly Fake[], from: number): Promise<void> {
  await settled()
  for (const { peer } of fakes.slice(from)) await peer.ask('serving')
  await settled()
}

test('a start waits for all workers, and fails with one that ends', async t => {
  const { part, fakes } = crewOf(t, 2)
  let isStarted = false
  const started = Promise.resolve(part.start!()).then(() => (isStarted = true))
  await settled()
  assert.deepEqual(await fakes[0]!.peer.ask('settings'), { number: 1 })
  assert.equal(await fakes[0]!.peer.ask('port'), 6443)
  await fakes[0]!.peer.ask('serving')
  assert.equal(isStarted, false)
  fakes[1]!.exit()
  await assert.rejects(started, /worker 2 \(process 102\) ended with 1 while it started/)
})

test('a worker that dies is replaced, after growing pauses when it dies soon', async t => {
  const { fakes, pass, start } = crewOf(t, 1)
  await start()
  await pass(5000)
  fakes[0]!.exit()
  await pass(0)
  assert.equal(fakes.length, 2)
  await serving(fakes, 1)
  let expected = 2
  for (const pause of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    fakes.at(-1)!.exit()
    await pass(pause - 1)
    assert.equal(fakes.length, expected)
    await pass(1)
    assert.equal(fakes.length, ++expected)
    await serving(fakes, expected - 1)
  }
  // one that has lived long enough begins anew
  await pass(5000)
  fakes.at(-1)!.exit()
  await pass(0)
  assert.equal(fakes.length, ++expected)
})

test('sessions and records that workers ask for are those of the first process', async t => {
  const sessions = new ConsoleSessions(systemClock)
  const records: unknown[] = []
  const { fakes, start } = crewOf(t, 2, undefined, { sessions, record: entry => void records.push(entry) })
  await start()
  const [one, two] = fakes.map(({ peer }) => peer)
  const code = sessions.code({ name: 'alice', groups: ['devs'] })
  const { token } = await one!.ask('redeem', code)
  assert.equal(await two!.ask('redeem', code), undefined)
  assert.deepEqual(await two!.ask('session', token), { user: { name: 'alice', groups: ['devs'] } })
  assert.equal(await two!.ask('session', 'binnacle-console-x'), undefined)
  assert.equal(await two!.ask('endSession', token), true)
  assert.equal(await one!.ask('session', token), undefined)
  await one!.ask('record', { bytes: 1 })
  assert.deepEqual(records, [{ bytes: 1 }])
})

test('workers that do not answer are left out', async t => {
  const { crew, fakes, pass, start } = crewOf(t, 3, number => ({
    path: () => (number === 2 ? new Promise(() => {}) : { status: 200, headers: {}, body: Buffer.from(String(number)) })
  }))
  await start()
  const answers = crew.askAll({ method: 'GET', url: '/metrics', headers: {} } as never)
  await settled()
  await pass(5000)
  assert.deepEqual(
    (await answers).map(({ body }) => Buffer.from(body).toString()),
    ['1', '3']
  )
  // one that does not serve yet is not asked
  fakes[0]!.exit()
  await pass(0)
  assert.equal(fakes.length, 4)
  const fewer = crew.askAll({ method: 'GET', url: '/metrics', headers: {} } as never)
  await settled()
  await pass(5000)
  assert.equal((await fewer).length, 1)
})

test('connections go to workers from when they serve until they leave or die', async t => {
  const taken: number[] = []
  const { crew, fakes, start } = crewOf(t, 2, number => ({ connection: () => void taken.push(number) }))
  let own = 0
  const give = crew.spread(() => own++)
  give(new Socket())
  await start()
  const two = async () => {
    taken.length = 0
    for (let i = 0; i < 2; i++) give(new Socket())
    await settled()
    return [...taken].sort()
  }
  assert.deepEqual(await two(), [1, 2])
  await fakes[1]!.peer.ask('closed', 1)
  assert.deepEqual((await two())[0], 2)
  await fakes[0]!.peer.ask('leave')
  for (let i = 0; i < 4; i++) assert.ok(!(await two()).includes(1))
  const before = own
  fakes[1]!.exit()
  assert.deepEqual(await two(), [])
  assert.equal(own, before + 2)
})

test('the end waits for the workers, and kills those that do not end', async t => {
  const stopped: number[] = []
  const { crew, part, fakes, pass, start } = crewOf(t, 2, number => ({ stop: () => void stopped.push(number) }))
  await start()
  await part.stop!()
  await settled()
  assert.deepEqual(stopped, [1, 2])
  let isOver = false
  const over = Promise.resolve(crew.end.stop!()).then(() => (isOver = true))
  fakes[0]!.exit()
  await pass(9999)
  assert.deepEqual([fakes.map(({ killed }) => killed), isOver], [[[], []], false])
  await pass(1)
  assert.deepEqual(
    fakes.map(({ killed }) => killed),
    [[], ['SIGKILL']]
  )
  fakes[1]!.exit()
  await over
  assert.equal(fakes.length, 2)
  // with nobody left, there is nothing to wait for
  await crew.end.stop!()
  await start()
  await pass(5000)
  fakes[2]!.exit()
  await pass(0)
  assert.equal(fakes.length, 5)
})

test('a worker that is to be replaced is not, once the server stops', async t => {
  const { part, fakes, pass, start } = crewOf(t, 1)
  await start()
  fakes[0]!.exit()
  await part.stop!()
  await pass(1000)
  assert.equal(fakes.length, 1)
})

test('a worker that cannot be replaced is tried again', async t => {
  const { fakes, pass, start } = crewOf(t, 1)
  await start()
  await pass(5000)
  fakes[0]!.exit()
  await pass(0)
  // it never serves
  fakes[1]!.exit()
  await settled()
  await pass(1000)
  assert.equal(fakes.length, 3)
})
