import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { silentLogger } from '../../util/logger.js'
import { deadlineStage } from './deadline.js'
import { errorsStage } from './errors.js'
import { createHandler } from './handler.js'
import { inject } from './inject.js'
import { requestInfoStage } from './request-info.js'

const stage = (name: string, handle: Stage['handle']): Stage => ({ name, why: '', handle })
const ok = (): Response => ({ status: 200, headers: {} })
const handlerWithin = (requestTimeout: number, ...stages: Stage[]) =>
  createHandler([errorsStage(silentLogger), requestInfoStage, deadlineStage(requestTimeout), ...stages], {
    now: Date.now,
    uuid: () => 'id'
  })
const handlerOf = (...stages: Stage[]) => handlerWithin(60_000, ...stages)

describe('the time limit of a request', () => {
  const never = handlerOf(stage('endpoints', () => new Promise<Response>(() => {})))
  const pods = '/api/v1/namespaces/default/pods'

  it('ends it with the 504 of kube-apiserver', async () => {
    for (const timeout of ['20ms', '1ns']) {
      const { status, headers, body } = await inject(never, { url: `${pods}?timeout=${timeout}` })
      assert.equal(status, 504)
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(
        body.toString(),
        '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n'
      )
    }
  })

  it('is the maximum where the client gives more, nothing or less than nothing', async () => {
    const soon = handlerWithin(
      20,
      stage('endpoints', () => new Promise<Response>(() => {}))
    )
    for (const query of ['', '?timeout=100h', '?timeout=0', '?timeout=-1s', '?timeout='])
      assert.equal((await inject(soon, { url: pods + query })).status, 504, query)
  })

  it('is not there for what goes on for as long as its client wants', async () => {
    const late = handlerOf(stage('endpoints', () => new Promise(resolve => setTimeout(() => resolve(ok()), 30))))
    for (const url of [`${pods}?watch=1&timeout=1ms`, `${pods}/p/log?timeout=1ms`, `${pods}/p/exec?timeout=x`])
      assert.equal((await inject(late, { url })).status, 200, url)
    assert.equal((await inject(late, { url: `${pods}?timeout=x` })).status, 400)
  })
})

describe('an answer without a connection', () => {
  it('has ended when what is behind it breaks off', async () => {
    const seen: (boolean | undefined)[] = []
    const cut = handlerOf(
      stage('endpoints', async context => {
        context.onEnd(() => seen.push(context.record.aborted))
        return { ...ok(), stream: sink => sink.abort() }
      })
    )
    await assert.rejects(inject(cut, { url: '/api/v1/pods' }), { message: 'the answer ended before it was complete' })
    assert.deepEqual(seen, [true])
  })
})
