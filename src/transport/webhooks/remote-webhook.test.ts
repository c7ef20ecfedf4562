import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { FakeClock } from '../../testkit/fake-clock.js'
import { startHttps, type TestServer } from '../../testkit/webhook-server.js'
import type { Clock } from '../../util/clock.js'
import { systemRandomness } from '../../util/randomness.js'
import { loadOrCreatePki } from '../certificates/pki.js'
import type { Kubeconfig } from './kubeconfig.js'
import { RemoteWebhook, type RemoteWebhookOptions } from './remote-webhook.js'

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void

let server: TestServer
let handle: Handle
let calls: number
let open: RemoteWebhook[]
let pki: Awaited<ReturnType<typeof loadOrCreatePki>>
let directory: string

before(async () => {
  pki = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })
  directory = mkdtempSync(join(tmpdir(), 'binnacle-remote-'))
  server = await startHttps(
    (request, response, body) => {
      calls++
      handle(request, response, body)
    },
    { requestCert: true, rejectUnauthorized: false, ca: pki.ca.certificate }
  )
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  calls = 0
  open = []
})
afterEach(() => Promise.all(open.map(webhook => webhook.close())))

/** A clock whose waits are over at once; it notes them. */
class HastyClock implements Clock {
  readonly waits: number[] = []
  now = () => 0
  setTimeout(callback: () => void, milliseconds: number) {
    this.waits.push(milliseconds)
    setImmediate(callback)
    return { cancel() {} }
  }
}

const make = (config: Partial<Kubeconfig> = {}, options: Partial<RemoteWebhookOptions> = {}) => {
  const kubeconfig = { server: `${server.url}/review`, ca: server.ca, insecure: false, headers: {}, ...config }
  const webhook = new RemoteWebhook({ kubeconfig, clock: new HastyClock(), random: systemRandomness, ...options })
  open.push(webhook)
  return webhook
}
const answer = (code: number, body: unknown, headers: Record<string, string> = {}): Handle => {
  return (_, response) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

describe('the webhook of a kubeconfig', () => {
  it('is told the object, the timeout and who calls', async () => {
    let seen: [string, string, unknown] | undefined
    handle = (request, response, body) => {
      seen = [request.url!, body, request.headers.authorization]
      response.end('{}')
    }
    assert.deepEqual(await make({ token: 'secret' }).post({ a: 1 }), { code: 200, text: '{}' })
    assert.deepEqual(seen, ['/review?timeout=30s', '{"a":1}', 'Bearer secret'])
    await make({ basic: 'u:p' }, { timeoutMs: 3000 }).post({})
    assert.deepEqual(seen, ['/review?timeout=3s', '{}', `Basic ${Buffer.from('u:p').toString('base64')}`])
  })

  it('sees the client certificate', async () => {
    let name: string | undefined
    handle = (request, response) => {
      const socket = request.socket as TLSSocket
      name = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined
      response.end('{}')
    }
    await make({ cert: pki.admin.certificate, key: pki.admin.key }).post({})
    assert.equal(name, 'kubernetes-admin')
    await make().post({})
    assert.equal(name, undefined)
  })

  it('is not told anything unless its certificate is right', async () => {
    handle = answer(200, {})
    const wrong = make({ ca: pki.serving.trust })
    await assert.rejects(wrong.post({}), /tls: failed to verify certificate/)
    await assert.rejects(make({ serverName: 'other.example.com' }).post({}), /tls: failed to verify certificate/)
    assert.equal(calls, 0)
    await make({ ca: undefined, insecure: true }).post({})
    assert.equal(calls, 1)
  })

  it('reads a token file again after a minute, and keeps an old token when it cannot', async () => {
    const tokenFile = join(directory, 'token')
    const tokens: unknown[] = []
    handle = (request, response) => {
      tokens.push(request.headers.authorization)
      response.end('{}')
    }
    const clock = new FakeClock()
    const webhook = make({ tokenFile, token: 'ignored' }, { clock })
    await assert.rejects(webhook.post({}), /failed to read token file/)
    for (const [text, advance] of [
      ['one\n', 0],
      ['two', 59_000],
      ['two', 1000]
    ] as const) {
      writeFileSync(tokenFile, text)
      clock.advance(advance)
      await webhook.post({})
    }
    rmSync(tokenFile)
    clock.advance(60_000)
    await webhook.post({})
    assert.deepEqual(tokens, ['Bearer one', 'Bearer one', 'Bearer two', 'Bearer two'])
  })

  it('is called five times when it fails for a while', async () => {
    for (const code of [500, 504, 429]) {
      calls = 0
      handle = answer(code, {})
      const clock = new HastyClock()
      await assert.rejects(
        make({}, { clock, random: { ...systemRandomness, apart: () => ({ ...systemRandomness, fraction: () => 0 }) } }).post({}),
        { code }
      )
      assert.deepEqual([calls, clock.waits], [5, [500, 750, 1125, 1687.5]])
    }
    const clock = new HastyClock()
    await assert.rejects(
      make({}, { clock, random: { ...systemRandomness, apart: () => ({ ...systemRandomness, fraction: () => 1 }) } }).post({})
    )
    assert.equal(clock.waits[0], 600)
  })

  it('is called again after a broken connection', async () => {
    handle = (request, response) => (calls < 3 ? void request.socket.destroy() : void response.end('{}'))
    await make().post({})
    assert.equal(calls, 3)
  })

  it('is called once when it refuses', async () => {
    for (const code of [400, 401, 403, 404, 503]) {
      calls = 0
      handle = answer(code, { kind: 'Status', status: 'Failure', message: 'no' })
      await assert.rejects(make().post({}), { code, message: 'no' })
      assert.equal(calls, 1)
    }
  })

  it('is called again when it says so, as another rule says, and not beyond the last step', async () => {
    const clock = new HastyClock()
    handle = (request, response, body) => answer(calls === 1 ? 503 : 200, {}, { 'retry-after': '7' })(request, response, body)
    await make({}, { clock }).post({})
    assert.deepEqual([calls, clock.waits], [2, [7000]])
    calls = 0
    handle = answer(403, {})
    const backoff = { initialMs: 1, factor: 1, jitter: 0, steps: 2 }
    await assert.rejects(make({}, { backoff, shouldRetry: () => true }).post({}))
    assert.equal(calls, 2)
  })

  it('is left alone once the request has ended', async () => {
    handle = answer(500, {})
    const abort = new AbortController()
    const clock: Clock = {
      now: () => 0,
      setTimeout() {
        setImmediate(() => abort.abort(new Error('gone')))
        return { cancel() {} }
      }
    }
    await assert.rejects(make({}, { clock }).post({}, abort.signal), { code: 500 })
    assert.equal(calls, 1)
    await assert.rejects(make().post({}, abort.signal), /gone/)
    assert.equal(calls, 1)
  })

  it('has only its time', async () => {
    handle = () => {}
    await assert.rejects(make({}, { timeoutMs: 50 }).post({}), {
      message: `Post "${server.url}/review?timeout=0.05s": context deadline exceeded`
    })
  })
})
