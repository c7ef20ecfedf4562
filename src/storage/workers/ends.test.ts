import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { type CommitResult, type Store, StoreUnavailableError, type Watcher } from '../contract.js'
import {
  decodeQuestion,
  decodeTold,
  encodeCheck,
  encodeCommit,
  encodeCompact,
  encodeDone,
  encodeRevision,
  FrameReader,
  type Question
} from './frames.js'
import { WorkerEnd } from './worker-end.js'
import { WriterEnd } from './writer-end.js'

const turn = () => new Promise(resolve => setImmediate(resolve))
const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024)

/** A pipe whose other side is this test. */
function pipe(highWaterMark?: number) {
  const written: Buffer[] = []
  const taken: (() => void)[] = []
  const end = new Duplex({
    ...(highWaterMark !== undefined && { highWaterMark }),
    read() {},
    write(chunk, _, done) {
      written.push(chunk)
      if (highWaterMark === undefined) done()
      else taken.push(done)
    }
  })
  return { end, written, taken }
}

function worker() {
  const { end, written } = pipe()
  const reader = new FrameReader()
  const ended: string[] = []
  let told = 0
  const worker = new WorkerEnd(
    end,
    () => told++,
    why => ended.push(why)
  )
  const questions = async (): Promise<Question[]> => {
    await turn()
    await turn()
    return written.splice(0).flatMap(chunk => reader.read(chunk).map(decodeQuestion))
  }
  return { worker, questions, answer: (frame: Buffer) => end.push(frame), ended, told: () => told, pipe: end }
}

test('a worker has only so many bytes under way; what is larger goes alone', async () => {
  const { worker: end, questions, answer } = worker()
  const commits = [20, 20, 10, 40, 1].map(size => end.commit([{ key: '/a', value: megabytes(size) }]))
  const ids = async () => (await questions()).map(({ id }) => id)
  const answered = async (id: number) => {
    answer(encodeDone(id, 10 * id))
    assert.deepEqual(await commits[id - 1], { revision: 10 * id })
  }
  assert.deepEqual(await ids(), [1])
  await answered(1)
  assert.deepEqual(await ids(), [2, 3])
  await answered(3)
  assert.deepEqual(await ids(), [])
  await answered(2)
  assert.deepEqual(await ids(), [4])
  await answered(4)
  assert.deepEqual(await ids(), [5])
  await answered(5)
})

test('writes that would wait are refused when too much waits', async () => {
  const { worker: end } = worker()
  const value = megabytes(60)
  const refused: unknown[] = []
  // the first is under way
  for (let i = 0; i < 5; i++) end.commit([{ key: '/a', value }]).catch(error => refused.push(error))
  await assert.rejects(
    end.commit([{ key: '/a', value: megabytes(20) }]),
    new StoreUnavailableError('too many writes wait for the disk')
  )
  assert.deepEqual(refused, [])
  end.close()
  await turn()
  assert.equal(refused.length, 5)
})

test('a worker that is told what makes no sense ends', async () => {
  for (const frame of [encodeDone(77, 1), Buffer.from([1, 0, 0, 0, 99])]) {
    const { worker: end, answer, ended, pipe } = worker()
    const commit = end.commit([{ key: '/a', value: undefined }])
    commit.catch(() => {})
    answer(frame)
    await assert.rejects(commit, /cannot be followed/)
    assert.equal(ended.length, 1)
    assert.ok(pipe.destroyed)
    await assert.rejects(end.check(), /cannot be followed/)
  }
})

test('a worker hears of revisions before the answers that come after them', async () => {
  const { worker: end, answer, told, questions } = worker()
  const commit = end.commit([{ key: '/a', value: undefined }])
  const [question] = await questions()
  answer(encodeRevision(2))
  await turn()
  assert.equal(told(), 1)
  let before = 0
  const answered = commit.then(() => (before = told()))
  answer(encodeDone(question!.id, 3))
  await answered
  assert.equal(before, 2)
})

function writer(result: CommitResult, highWaterMark?: number) {
  const { end, written, taken } = pipe(highWaterMark)
  let watcher: Watcher | undefined
  let closed = 0
  const store = {
    commit: async () => result,
    compact: async () => {},
    health: async () => {
      throw new Error('no disk')
    },
    currentRevision: () => 9,
    async watch(_prefix: string, _from: number, given: Watcher) {
      watcher = given
      return { close: () => void closed++ }
    }
  } as unknown as Store
  const writerEnd = new WriterEnd(store, end, () => {})
  const reader = new FrameReader()
  const told = async () => {
    await turn()
    await turn()
    return written.splice(0).flatMap(chunk => reader.read(chunk).map(decodeTold))
  }
  return { end, writerEnd, told, taken, tell: (revision: number) => watcher!.onEvents([], revision), closed: () => closed }
}

test('a worker that does not read is told the newest revision when it does', async () => {
  const { writerEnd, told, taken, tell } = writer({ ok: true, revision: 1 }, 1)
  await writerEnd.start()
  for (let revision = 1; revision <= 5; revision++) tell(revision)
  assert.deepEqual(await told(), [{ type: 'revision', revision: 1 }])
  taken.shift()!()
  assert.deepEqual(await told(), [{ type: 'revision', revision: 5 }])
  taken.shift()!()
  assert.deepEqual(await told(), [])
})

test('a writer whose worker ends before it is told of revisions watches nothing', async () => {
  const { end, writerEnd, closed } = writer({ ok: true, revision: 1 })
  end.destroy()
  await turn()
  await writerEnd.start()
  assert.equal(closed(), 1)
})

test('a writer answers with what happened, and stops with the pipe', async () => {
  const { end, writerEnd, told, closed } = writer({ ok: false, key: '/b', current: undefined })
  await writerEnd.start()
  const writes = ['/a', '/b'].map(key => ({ key, value: undefined }))
  for (const question of [encodeCommit(1, writes), encodeCheck(2), encodeCompact(3, 4)]) end.push(question)
  await turn()
  const answers = await told()
  const byId = answers.map(answer => ('id' in answer ? answer : undefined)).sort((a, b) => a!.id - b!.id)
  assert.deepEqual(byId, [
    { type: 'refused', id: 1, write: 1 },
    { type: 'failed', id: 2, message: 'Error: no disk' },
    { type: 'done', id: 3, revision: 9 }
  ])
  end.destroy()
  await turn()
  assert.ok(closed() > 0)
})
