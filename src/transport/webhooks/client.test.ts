import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import tls from 'node:tls'
import { startHttps, type TestServer } from '../../testkit/webhook-server.js'
import { issueCertificate, toPem } from '../certificates/issue.js'
import { WebhookClient } from './client.js'
import { AnswerTooLarge } from './exchange.js'
import { cleanedPath } from './go-path.js'

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void

let server: TestServer
let handle: Handle
let asked: string[]

const ok: Handle = (_, response) => void response.end('{"ok":true}')
const base64 = (text: string) => Buffer.from(text).toString('base64')

before(async () => {
  server = await startHttps(
    (request, response, body) => {
      asked.push(`${request.method} ${request.url}`)
      handle(request, response, body)
    },
    { names: ['hooks.default.svc'] }
  )
})
after(() => server.close())
beforeEach(() => {
  asked = []
  handle = ok
})

const dialed: string[] = []
const resolve = (namespace: string, name: string, port: number) => {
  dialed.push(`${namespace}/${name}:${port}`)
  return { host: '127.0.0.1', port: Number(new URL(server.url).port) }
}

async function call(config: object, timeoutMs = 20_000): Promise<unknown> {
  const client = new WebhookClient(resolve)
  try {
    return await client.call({ caBundle: base64(server.ca), ...config } as never, {}, { timeoutMs })
  } finally {
    client.close()
  }
}

const service = (path: string) => ({ service: { namespace: 'default', name: 'hooks', path, port: 443 } })

async function leafCertificate(): Promise<string> {
  const socket = tls.connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), rejectUnauthorized: false })
  await new Promise(resolved => socket.once('secureConnect', resolved))
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return new X509Certificate(raw).toString()
}

describe('a call to a webhook', () => {
  it('trusts a bundle that holds the certificate of the server itself, as Go does', async () => {
    const leaf = await leafCertificate()
    assert.ok(!new X509Certificate(leaf).ca)
    assert.deepEqual(await call({ url: server.url, caBundle: base64(leaf) }), { ok: true })
    await assert.rejects(
      call({ url: server.url, caBundle: base64((await other()).ca) }),
      /tls: failed to verify certificate: x509: certificate signed by unknown authority/
    )
  })

  it('trusts a server whose certificate has the name of its authority, as Go does', async () => {
    const valid = { commonName: 'hooks', notBefore: Date.now() - 1000, notAfter: Date.now() + 3_600_000 }
    const [authority, leaf] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
    const certificate = issueCertificate(
      { ...valid, publicKey: authority!.publicKey, usage: 'ca' },
      { key: authority!.privateKey }
    )
    const request = { ...valid, publicKey: leaf!.publicKey, usage: 'serverAuth', names: ['127.0.0.1'] } as const
    const same = await startHttps(ok, {
      cert: toPem(issueCertificate(request, { key: authority!.privateKey, certificate })),
      key: leaf!.privateKey.export({ type: 'pkcs8', format: 'pem' })
    })
    after(() => same.close())
    assert.deepEqual(await call({ url: same.url, caBundle: base64(toPem(certificate)) }), { ok: true })
  })

  it('is not made to a server with the certificate of another host, whose names the error tells', async () => {
    await assert.rejects(call({ service: { namespace: 'default', name: 'others', port: 443 } }), {
      message:
        /^Post "https:\/\/others\.default\.svc:443\/\?timeout=20s": tls: failed to verify certificate: x509: certificate is valid for .*hooks\.default\.svc.*, not others\.default\.svc$/
    })
  })

  it('asks for the cleaned path, and names it in errors', async () => {
    await call({ url: `${server.url}//validate/` })
    await call(service('//a/../b c/%2F'))
    assert.deepEqual(asked, ['POST /validate?timeout=20s', 'POST /b%20c?timeout=20s'])
    handle = (_, response) => response.destroy()
    await assert.rejects(call({ url: `${server.url}//validate/` }), { message: `Post "${server.url}/validate?timeout=20s": EOF` })
  })

  it('is made again when the server says so, as often as Go does', async () => {
    handle = (request, response, body) => {
      if (asked.length === 4) return ok(request, response, body)
      response.writeHead(asked.length % 2 ? 429 : 503, { 'retry-after': '0' }).end()
    }
    assert.deepEqual(await call({ url: server.url }), { ok: true })
    asked = []
    handle = (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end()
    await assert.rejects(call({ url: server.url }), /the server has received too many requests/)
    assert.equal(asked.length, 11)
  })

  it('fails with the message of a Status, and else in words of its own', async () => {
    const status = { kind: 'Status', status: 'Failure' }
    for (const [body, message] of [
      [{ ...status, message: 'not today' }, /^not today$/],
      [status, /^$/],
      [{ ...status, message: {} }, /^an error on the server \("unknown"\) has prevented the request from succeeding$/],
      [{ ...status, message: ['x'] }, /^an error on the server \("unknown"\)/],
      [{ ...status, kind: 'Other', message: 'x' }, /^an error on the server/],
      [null, /^an error on the server/]
    ] as const) {
      handle = (_, response) => void response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      await assert.rejects(call({ url: server.url }), (error: Error) => message.test(error.message) || assert.fail(error.message))
    }
  })

  it('takes no answer that is too deep to be written again', async () => {
    handle = (_, response) => void response.end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    await assert.rejects(call({ url: server.url }), { message: 'the answer is no JSON: exceeded max depth' })
  })

  it('sends text that UTF-8 can hold', async () => {
    let sent = ''
    handle = (_, response, body) => {
      sent = body
      response.end('{}')
    }
    const client = new WebhookClient(resolve)
    const config = { url: server.url, caBundle: base64(server.ca) }
    await client.call(config as never, { '\udc00': ['\ud800x', '\ud83d\ude00', '\\ud800'] }, { timeoutMs: 20_000 })
    client.close()
    assert.equal(sent, '{"\\ufffd":["\\ufffdx","\ud83d\ude00","\\\\ud800"]}')
  })

  it('may go to another endpoint of a Service each time, or with each connection', async () => {
    const calls = 5
    for (const balances of [true, false]) {
      let resolved = 0
      const counting: typeof resolve = (...of) => {
        resolved++
        return resolve(...of)
      }
      const client = new WebhookClient(counting, undefined, {}, undefined, balances)
      const config = { ...service('/x'), caBundle: base64(server.ca) }
      for (let i = 0; i < calls; i++) await client.call(config, {}, { timeoutMs: 20_000 })
      client.close()
      // calls one after the other share a connection or two
      assert.equal(resolved === calls, balances, `${resolved} of ${calls}`)
      assert.ok(resolved > 0)
    }
  })

  it('reads no more of an answer than it may', async () => {
    const client = new WebhookClient(resolve)
    const config = { url: server.url, caBundle: base64(server.ca) }
    const limited = (maxAnswerBytes: number) => client.call(config, {}, { timeoutMs: 20_000, maxAnswerBytes })
    assert.deepEqual(await limited('{"ok":true}'.length), { ok: true })
    await assert.rejects(limited('{"ok":true'.length), error => {
      assert.ok(error instanceof AnswerTooLarge)
      assert.match(error.message, /^unexpected error when reading response body\..*: the answer is larger than 10 bytes$/)
      return true
    })
    client.close()
  })

  it('ends after its time, however long the server wants it to wait', async () => {
    handle = (_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end()
    await assert.rejects(call({ url: server.url }, 3000), {
      message: `Post "${server.url}/?timeout=3s": context deadline exceeded`
    })
    assert.equal(asked.length, 1)
  })

  it('follows redirects, a bounded number of them', async () => {
    handle = (request, response, body) => {
      if (request.url!.startsWith('/there')) return ok(request, response, body)
      response.writeHead(307, { location: '/there' }).end()
    }
    assert.deepEqual(await call({ url: `${server.url}/here` }), { ok: true })
    assert.deepEqual(asked, ['POST /here?timeout=20s', 'POST /there'])
    asked = []
    handle = (_, response) => void response.writeHead(307, { location: `/here${asked.length}` }).end()
    await assert.rejects(call({ url: `${server.url}/here` }))
    assert.equal(asked.length, 11)
    handle = (request, response) => void response.writeHead(307, { location: request.url! }).end()
    await assert.rejects(call({ url: `${server.url}/here` }), /: stopped after 10 redirects$/)
  })

  it('of a service resolves its own address only', async () => {
    handle = (request, response, body) => {
      if (request.url === '/there') return ok(request, response, body)
      response.writeHead(307, { location: `https://${server.host}/there` }).end()
    }
    dialed.length = 0
    assert.deepEqual(await call(service('/here')), { ok: true })
    assert.deepEqual(dialed, ['default/hooks:443'])
  })
})

async function other(): Promise<TestServer> {
  const started = await startHttps(() => {})
  await started.close()
  return started
}

it('a path is cleaned as by Go', () => {
  for (const [given, asked] of [
    ['', '/'],
    ['/', '/'],
    ['//', '/'],
    ['a', '/a'],
    ['/a//b/', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/../a', '/a'],
    ['/%41%2Fb', '/A/b'],
    ['/a b?', '/a%20b%3F'],
    ["/a!'()*", '/a%21%27%28%29%2A'],
    ['/ü', '/%C3%BC'],
    ['/%zz', '/%25zz']
  ])
    assert.equal(cleanedPath(given!), asked, given)
})
