import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClientGoneError, RequestContext } from './context.js'
import type { IncomingRequest } from './message.js'
import { chained, type Stage } from './stage.js'

function contextOf(): { context: RequestContext; close: () => void } {
  let close = () => {}
  const request = {
    method: 'GET',
    url: '/',
    headers: {},
    onClose(listener: () => void) {
      close = listener
    }
  } as IncomingRequest
  return { context: new RequestContext(request, 0, 'id'), close: () => close() }
}

describe('a chain', () => {
  it('wraps: each stage is before, after and around those below it', async () => {
    const order: string[] = []
    const around = (name: string): Stage => ({
      name,
      why: '',
      async handle(context, next) {
        order.push(`${name} before`)
        context.onInitialized(() => order.push(`${name} initialized`))
        context.onEnd(() => order.push(`${name} end`))
        const response = await next(context)
        order.push(`${name} after`)
        return response
      }
    })
    const endpoint: Stage = { name: 'endpoint', why: '', handle: () => ({ status: 200, headers: {} }) }
    const { context } = contextOf()
    await chained([around('a'), around('b'), endpoint])(context)
    context.initialized()
    context.ended()
    context.ended()
    assert.deepEqual(order, ['a before', 'b before', 'b after', 'a after', 'a initialized', 'b initialized', 'a end', 'b end'])
  })
})

describe('the signal of a request', () => {
  it('aborts when its client has gone', () => {
    const { context, close } = contextOf()
    const { signal } = context
    assert.equal(signal.aborted, false)
    close()
    assert.ok(signal.reason instanceof ClientGoneError)
  })

  it('does not when the answer has ended', () => {
    const { context, close } = contextOf()
    const { signal } = context
    context.ended()
    close()
    assert.equal(signal.aborted, false)
  })

  it('has aborted for those who ask late', () => {
    const { context } = contextOf()
    const reason = new Error('late')
    context.abort(reason)
    assert.equal(context.signal.reason, reason)
  })
})

describe('the record of a request', () => {
  it('keeps the first value of an annotation', () => {
    const { record } = contextOf().context
    record.annotate('a', '1')
    record.annotate('a', '2')
    assert.deepEqual([...record.annotations], [['a', '1']])
  })

  it('adds up the time of a part', async () => {
    const { record } = contextOf().context
    const wait = () => new Promise(resolve => setImmediate(resolve))
    await record.time('etcd', wait())
    const once = record.milliseconds.get('etcd')!
    await record.time('etcd', wait())
    assert.ok(once > 0 && record.milliseconds.get('etcd')! > once)
    assert.equal(record.milliseconds.size, 1)
  })
})
