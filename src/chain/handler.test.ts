import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import type { Stage } from '../request/stage.js'
import { silentLogger } from '../util/logger.js'
import { deadlineStage } from './deadline.js'
import { errorsStage } from './errors.js'
import { createHandler } from './handler.js'
import { inFlightStage } from './in-flight.js'
import { inject } from './inject.js'
import { requestInfoStage } from './request-info.js'

const stage = (name: string, handle: Stage['handle']): Stage => ({ name, why: '', handle })
const ann = { name: 'ann', groups: ['system:authenticated'] }
const admin = { name: 'admin', groups: ['system:masters'] }
const identified = stage('authentication', (context, next) => {
  context.user = context.request.trustedUser!
  return next(context)
})
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

describe('requests under way', () => {
  const make = () => {
    const waiting: ((response: Response) => void)[] = []
    const endpoint = stage('endpoints', () => new Promise(resolve => void waiting.push(resolve)))
    const handler = handlerOf(identified, inFlightStage({ requests: 2, mutatingRequests: 1 }), endpoint)
    const ask = (method: string, url: string, user = ann) => inject(handler, { method, url, user })
    return { ask, waiting }
  }
  const url = '/api/v1/namespaces/default/pods'

  it('are limited, reads and writes apart', async () => {
    const { ask, waiting } = make()
    const under = [ask('GET', url), ask('GET', `${url}/p`), ask('POST', url)]
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, body } = await ask(method, url)
      assert.equal(status, 429, method)
      assert.equal(headers['retry-after'], '1')
      assert.equal(body.toString(), 'Too many requests, please try again later.\n')
    }
    for (const answer of waiting.splice(0)) answer(ok())
    assert.deepEqual(
      (await Promise.all(under)).map(({ status }) => status),
      [200, 200, 200]
    )
    const again = ask('GET', url)
    waiting[0]!(ok())
    assert.equal((await again).status, 200)
  })

  it('of administrators, and those that go on for long, are not counted', async () => {
    const { ask, waiting } = make()
    const under = [...Array(5)].flatMap(() => [ask('GET', url, admin), ask('GET', `${url}?watch=1`), ask('GET', `${url}/p/log`)])
    under.push(ask('GET', url))
    for (const answer of waiting) answer(ok())
    assert.ok((await Promise.all(under)).every(({ status }) => status === 200))
  })

  it('have their place until their clients have the answer', async () => {
    const handler = handlerOf(
      identified,
      inFlightStage({ requests: 1, mutatingRequests: 1 }),
      stage('endpoints', () => ok())
    )
    const request = (context: Partial<RequestContext['request']>) => ({ ...context }) as RequestContext['request']
    const incoming = request({ method: 'GET', url, headers: {}, trustedUser: ann })
    const first = await handler(incoming)
    assert.equal((await handler(incoming)).status, 429)
    first.ended()
    assert.equal((await handler(incoming)).status, 200)
  })
})
