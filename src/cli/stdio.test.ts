import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import type { InjectedRequest, InjectedResponse } from '../apimachinery/request/injected.js'
import { answerLines } from './stdio.js'

const answerOf = (status: number, text: string, type: string): InjectedResponse => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
  json: () => JSON.parse(text)
})

/** A server that answers what `inject` says, and the other ends of its pipes. */
function scene(inject: (request: InjectedRequest) => Promise<InjectedResponse>) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let ends = 0
  const announce = answerLines({ inject }, { input, output, onEnd: () => ends++ })
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return {
    input,
    announce: () => announce({ url: 'https://127.0.0.1:1', kubeconfig: 'k' }),
    say: (line: unknown) => input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    next: async () => JSON.parse((await lines.next()).value),
    ends: () => ends
  }
}

describe('lines of JSON', () => {
  it('begin with what a program needs, also where a request came before', async () => {
    const { say, announce, next } = scene(async () => answerOf(200, '{}', 'application/json'))
    say({ id: 1, path: '/version' })
    await new Promise(setImmediate)
    announce()
    const { url, kubeconfig, pid, binnacle, kubernetes } = await next()
    assert.deepEqual([url, kubeconfig, pid], ['https://127.0.0.1:1', 'k', process.pid])
    assert.match(binnacle, /^\d+\./)
    assert.match(kubernetes, /^v1\./)
    assert.deepEqual(await next(), { id: 1, status: 200, body: {} })
  })

  it('answer as an administrator, JSON as JSON and text as text', async () => {
    const asked: InjectedRequest[] = []
    const { say, announce, next } = scene(async request => {
      asked.push(request)
      return request.url === '/readyz' ? answerOf(200, 'ok', 'text/plain') : answerOf(404, '{"code":404}', 'application/json')
    })
    announce()
    await next()
    say({ id: 'a', path: '/readyz' })
    assert.deepEqual(await next(), { id: 'a', status: 200, body: 'ok' })
    say({ id: 'b', path: '/x', method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: { a: 1 } })
    assert.deepEqual(await next(), { id: 'b', status: 404, body: { code: 404 } })
    assert.deepEqual(asked[1], {
      url: '/x',
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { a: 1 },
      user: { name: 'kubernetes-admin', groups: ['system:masters'] }
    })
  })

  it('answer what is done first', async () => {
    let finish: () => void = assert.fail
    const slow = new Promise<void>(resolve => {
      finish = resolve
    })
    const { say, announce, next } = scene(async ({ url }) => {
      if (url === '/slow') await slow
      return answerOf(200, url, 'text/plain')
    })
    announce()
    await next()
    say({ id: 1, path: '/slow' })
    say({ id: 2, path: '/fast' })
    assert.equal((await next()).id, 2)
    finish()
    assert.equal((await next()).id, 1)
  })

  it('say what is wrong with a line, and what became of a request without an answer', async () => {
    const { say, announce, next } = scene(() => Promise.reject(new Error('the connection was reset')))
    announce()
    await next()
    for (const [line, id, error] of [
      ['{', null, /^the line is not JSON: /],
      ['[]', null, /^the line must be a JSON object$/],
      [{ id: 1 }, 1, /^path must be a text that begins with \/$/],
      [{ id: 1, path: 'a' }, 1, /^path must be a text that begins with \/$/],
      [{ id: 2, path: '/', method: 3 }, 2, /^method must be a text/],
      [{ id: 3, path: '/', headers: { a: 1 } }, 3, /^headers must be an object of texts$/],
      [{ id: 4, path: '/' }, 4, /^the connection was reset$/]
    ] as const) {
      say(line)
      const answer = await next()
      assert.equal(answer.id, id)
      assert.match(answer.error, error)
    }
  })

  it('refuse what a program asks without reading', async () => {
    const finish: (() => void)[] = []
    const { say, announce, next } = scene(
      ({ url }) => new Promise(resolve => finish.push(() => resolve(answerOf(200, url, 'text/plain'))))
    )
    announce()
    await next()
    for (let id = 1; id <= 1001; id++) say({ id, path: '/' })
    assert.deepEqual(await next(), { id: 1001, error: 'more than 1000 requests under way' })
    finish.shift()?.()
    assert.equal((await next()).id, 1)
    await new Promise(setImmediate)
    say({ id: 1002, path: '/' })
    await new Promise(setImmediate)
    finish.pop()?.()
    assert.deepEqual(await next(), { id: 1002, status: 200, body: '/' })
  })

  it('tell when the input has ended', async () => {
    const { input, ends } = scene(async () => assert.fail())
    assert.equal(ends(), 0)
    input.end()
    await once(input, 'close')
    assert.equal(ends(), 1)
  })
})
