import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { silentLogger } from '../../util/logger.js'
import { errorsStage } from '../chain/errors.js'
import { createHandler } from '../chain/handler.js'
import { inject } from '../chain/inject.js'
import { requestInfoStage } from '../chain/request-info.js'
import { type InFlightLimits, inFlightStage } from './in-flight.js'
import { UnderWay } from './under-way.js'

const stage = (name: string, handle: Stage['handle']): Stage => ({ name, why: '', handle })
const ann = { name: 'ann', groups: ['system:authenticated'] }
const admin = { name: 'admin', groups: ['system:masters'] }
const identified = stage('authentication', (context, next) => {
  context.user = context.request.trustedUser!
  return next(context)
})
const ok = (): Response => ({ status: 200, headers: {} })
const handlerOf = (...stages: Stage[]) =>
  createHandler([errorsStage(silentLogger), requestInfoStage, identified, ...stages], { now: Date.now, uuid: () => 'id' })
const limited = (limits: InFlightLimits, now = () => 0) => inFlightStage(limits, new UnderWay(0), now)

describe('requests under way', () => {
  const make = () => {
    const waiting: ((response: Response) => void)[] = []
    const endpoint = stage('endpoints', () => new Promise(resolve => void waiting.push(resolve)))
    const handler = handlerOf(limited({ requests: 2, mutatingRequests: 1 }), endpoint)
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

  it('are not counted when they go on for long', async () => {
    const { ask, waiting } = make()
    const under = [...Array(5)].flatMap(() => [ask('GET', `${url}?watch=1`), ask('GET', `${url}/p/log`)])
    under.push(ask('GET', url))
    for (const answer of waiting) answer(ok())
    assert.ok((await Promise.all(under)).every(({ status }) => status === 200))
  })

  it('of administrators take places, and are never refused', async () => {
    const { ask, waiting } = make()
    const under = [...Array(5)].map(() => ask('GET', url, admin))
    assert.equal((await ask('GET', url)).status, 429)
    for (const answer of waiting) answer(ok())
    assert.ok((await Promise.all(under)).every(({ status }) => status === 200))
  })

  it('have their place until their clients have the answer', async () => {
    const handler = handlerOf(
      limited({ requests: 1, mutatingRequests: 1 }),
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
