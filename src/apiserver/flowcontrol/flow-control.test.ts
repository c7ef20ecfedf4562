import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { DeadlineExceededError } from '../../apimachinery/request/deadline.js'
import type { Answer, IncomingRequest, Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import type { Registry } from '../../registry/registry.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { atOnce, level, schema, userOf } from '../../testkit/flow-control.js'
import { silentLogger } from '../../util/logger.js'
import { errorsStage } from '../chain/errors.js'
import { createHandler } from '../chain/handler.js'
import { requestInfoStage } from '../chain/request-info.js'
import { FlowControl } from './flow-control.js'
import { UnderWay } from './under-way.js'

const stage = (name: string, handle: Stage['handle']): Stage => ({ name, why: '', handle })
const pods = '/api/v1/namespaces/default/pods'

/** A server with a single level, `l`, for ann and bob. Its endpoint answers when it is told to. */
function make(seats: number, queuing?: readonly [number, number, number]) {
  const clock = new FakeClock()
  const now = () => clock.now()
  const underWay = new UnderWay(now())
  const control = new FlowControl({
    clock,
    now,
    underWay,
    pace: atOnce,
    serverSeats: 2 * seats,
    features: new FeatureGates(),
    registry: { find: () => undefined } as unknown as Registry,
    requestTimeout: 60_000,
    sinceReceived: ({ record }) => clock.now() - record.receivedAt
  })
  control.configuration.use([level('l', { shares: 5, borrowing: 0, queuing: queuing! })], [schema('s', 'l', ['ann', 'bob'])])
  const contexts: RequestContext[] = []
  const waitingContexts: RequestContext[] = []
  const answers: ((response: Response) => void)[] = []
  const handler = createHandler(
    [
      errorsStage(silentLogger),
      requestInfoStage,
      stage('identity', (context, next) => {
        waitingContexts.push(context)
        context.user = context.request.trustedUser!
        context.timeLimit =
          context.info.verb === 'watch' ? Number.POSITIVE_INFINITY : Number(context.query.get('limit') ?? 60_000)
        return next(context)
      }),
      control.stage,
      stage('endpoint', context => {
        contexts.push(context)
        return new Promise(resolve => void answers.push(resolve))
      })
    ],
    { now, uuid: () => 'id' }
  )
  const send = (url: string, user = userOf('ann'), method = 'GET') => {
    const gone: (() => void)[] = []
    const onClose = (listener: () => void) => void gone.push(listener)
    const request = { method, url, headers: {}, trustedUser: user, onClose } as unknown as IncomingRequest
    return { answer: handler(request), leave: () => gone.splice(0).forEach(listener => void listener()) }
  }
  /** Answers the oldest request, which its client then has. */
  const finish = async (answer: Promise<Answer>, response: Response = { status: 200, headers: {} }) => {
    answers.shift()!(response)
    const answered = await answer
    answered.ended()
    return answered
  }
  return {
    control,
    clock,
    underWay,
    contexts,
    waitingContexts,
    send,
    finish,
    queues: control.configuration.levels.get('l')!.queues
  }
}

describe('flow control', () => {
  it('says in the headers how a request was classified, also when that failed', async () => {
    const { send, finish, contexts } = make(2)
    const { headers } = await finish(send(pods).answer)
    assert.equal(headers['x-kubernetes-pf-flowschema-uid'], 'uid-s')
    assert.equal(headers['x-kubernetes-pf-prioritylevel-uid'], 'uid-l')
    const failing = send(pods)
    await Promise.resolve()
    contexts.at(-1)!.throwIfAborted()
    assert.equal((await finish(failing.answer, { status: 500, headers: {} })).headers['x-kubernetes-pf-flowschema-uid'], 'uid-s')
    const ofMandatory = await finish(send(pods, userOf('eve')).answer)
    assert.equal(ofMandatory.headers['x-kubernetes-pf-flowschema-uid'], '')
  })

  it('refuses what is too much, with the words and headers of kube-apiserver', async () => {
    const { send, finish } = make(1)
    const first = send(pods).answer
    const refused = await send(pods).answer
    assert.equal(refused.status, 429)
    assert.equal(String(refused.body), 'Too many requests, please try again later.\n')
    assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(refused.headers['x-content-type-options'], 'nosniff')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(refused.headers['x-kubernetes-pf-flowschema-uid'], 'uid-s')
    assert.equal((await finish(first)).status, 200)
  })

  it('never limits administrators, nor connections', async () => {
    const { send, contexts } = make(1)
    for (let i = 0; i < 3; i++) {
      send(pods, userOf('admin', 'system:masters'))
      send(`${pods}/p/exec`)
      send(`${pods}/p/log?follow=1`)
    }
    await Promise.resolve()
    assert.equal(contexts.length, 9)
    assert.ok(contexts.filter(({ info }) => info.subresource !== '').every(({ classification }) => classification === undefined))
  })

  it('has a request wait for a quarter of its time', async () => {
    const { send, clock, queues, underWay } = make(1, [1, 1, 10])
    send(pods)
    const [short, long] = [send(`${pods}?limit=8000`).answer, send(pods).answer]
    assert.equal(queues.waiting, 2)
    assert.equal(underWay.waiting.reads.count, 2)
    clock.advance(2000)
    assert.equal((await short).status, 429)
    clock.advance(12_999)
    assert.equal(queues.waiting, 1)
    clock.advance(1)
    assert.equal((await long).status, 429)
    assert.equal(underWay.waiting.reads.count, 0)
    assert.equal(underWay.executing.reads.count, 1)
  })

  it('notes how long a request has waited', async () => {
    const { send, clock, contexts, finish } = make(1, [1, 1, 10])
    const [first, second] = [send(pods).answer, send(pods).answer]
    clock.advance(700)
    await finish(first)
    assert.equal(contexts[1]!.record.milliseconds.get('apf-queue-wait'), 700)
    await finish(second)
    assert.equal(contexts[0]!.record.milliseconds.size, 0)
  })

  it('forgets a waiting request whose client has gone', async () => {
    const { send, queues, contexts } = make(1, [1, 1, 1])
    send(pods)
    const gone = send(pods)
    assert.equal((await send(pods).answer).status, 429)
    gone.leave()
    assert.equal(queues.waiting, 0)
    assert.equal((await gone.answer).status, 429)
    assert.equal(contexts.length, 1)
  })

  it('gives back the seat of a request whose answer ended while it waited', async () => {
    const { send, finish, queues, contexts, waitingContexts } = make(1, [1, 1, 10])
    const first = send(pods).answer
    const second = send(pods).answer
    const [, late] = waitingContexts
    late!.abort(new DeadlineExceededError())
    late!.ended()
    await finish(first)
    assert.equal((await second).status, 504)
    assert.deepEqual([contexts.length, queues.seatsInUse], [1, 0])
  })

  it('holds the seat of a watch until its initial events are sent', async () => {
    const { send, contexts, queues, underWay } = make(1, [1, 1, 10])
    void send(`${pods}?watch=1`)
    void send(pods)
    await Promise.resolve()
    assert.deepEqual([queues.seatsInUse, queues.waiting], [1, 1])
    contexts[0]!.initialized()
    assert.deepEqual([queues.seatsInUse, queues.waiting, contexts.length], [1, 0, 2])
    assert.equal(underWay.executing.reads.count, 1)
    contexts[1]!.ended()
    contexts[0]!.ended()
    assert.equal(queues.seatsInUse, 0)
  })

  it('counts watches as long as they go on, and has writes that concern many of them take more', async () => {
    const { send, contexts, control } = make(100)
    for (let i = 0; i < 25; i++) send(`${pods}?watch=1`)
    await Promise.resolve()
    for (const context of contexts) context.initialized()
    const { queues } = control.configuration.levels.get('l')!
    send(pods, userOf('ann'), 'POST')
    const [write] = [...queues.executing]
    assert.deepEqual(write!.estimate, { initialSeats: 1, finalSeats: 3, additionalMs: 5 })
    for (const context of contexts.slice(0, 20)) context.ended()
    send(pods, userOf('ann'), 'POST')
    assert.equal([...queues.executing].at(-1)!.estimate.finalSeats, 0)
    send('/api/v1/namespaces/default/serviceaccounts/a/token', userOf('ann'), 'POST')
    assert.equal([...queues.executing].at(-1)!.estimate.finalSeats, 0)
  })

  it('counts reads and writes that are under way', async () => {
    const { send, underWay, clock, finish } = make(10)
    const [read, write] = [send(pods).answer, send(pods, userOf('bob'), 'DELETE').answer]
    assert.deepEqual([underWay.executing.reads.count, underWay.executing.writes.count], [1, 1])
    await finish(read)
    await finish(write)
    clock.advance(1100)
    assert.equal(underWay.executing.reads.highWatermark(clock.now()), 1)
    clock.advance(2000)
    assert.equal(underWay.executing.reads.highWatermark(clock.now()), 0)
  })
})
