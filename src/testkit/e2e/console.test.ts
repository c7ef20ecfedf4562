/** The console of a server, and the attacks that a browser could be made to help with (docs/console.md). */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer, createServerAt } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { eventually } from '../eventually.js'
import { startExtensionServer } from '../extension-server.js'

let folder: string
let server: BinnacleServer

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-console-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets/a-1.js'), 'js')
  server = createServerAt(
    { consoleFolder: folder },
    { log: silentLogger, console: 'loopback', externalHostname: 'api.example.com' }
  )
  await server.start()
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

interface Answered {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}
type Headers = Record<string, string>

/** The answer over HTTP/1.1, after checking that it is the same over HTTP/2. */
async function ask(method: string, path: string, headers: Headers = {}, body?: string): Promise<Answered> {
  const first = await ask1(method, path, headers, body)
  if (method === 'POST' || method === 'DELETE') return first
  const { host, ...rest } = headers
  const session = http2.connect(server.url, { rejectUnauthorized: false })
  const status = await new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...(host ? { ':authority': host } : {}), ...rest })
    stream.on('error', reject).on('response', answer => resolve(answer[':status']!))
    stream.resume()
  })
  session.close()
  assert.equal(status, first.status)
  return first
}

function ask1(method: string, path: string, headers: Headers, body?: string, to = server): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(to.url)
    const options = { hostname, port, path, method, headers, rejectUnauthorized: false, agent: false }
    const request = https.request(options as https.RequestOptions, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', piece => (text += piece))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const own = () => server.url
const fromPage = (): Headers => ({ origin: own(), 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' })
const codeOf = (link: string) => /^https:\/\/127\.0\.0\.1:\d+\/console\/#code=([\w-]{22})$/.exec(link)![1]!
const redeem = (code: string, headers = fromPage()) => ask('POST', '/console/session', headers, JSON.stringify({ code }))

async function signedIn(user?: Parameters<BinnacleServer['consoleLink']>[0]): Promise<Headers> {
  const { status, text } = await redeem(codeOf(await server.consoleLink(user)))
  assert.equal(status, 201)
  return { ...fromPage(), authorization: `Bearer ${JSON.parse(text).token}` }
}

const whoAmI = async (headers: Headers): Promise<string | number> => {
  const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const { status, text } = await ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', headers, review)
  return status === 201 ? JSON.parse(text).status.userInfo.username : status
}

const guards = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

describe('the console of a server', () => {
  it('signs in by a link, as the user for whom it was made', async () => {
    assert.equal(await whoAmI(await signedIn()), 'kubernetes-admin')
    assert.equal(await whoAmI(await signedIn({ user: 'alice', groups: ['devs'] })), 'alice')
    const alice = await signedIn({ user: 'alice' })
    assert.equal((await ask('GET', '/api/v1/secrets', alice)).status, 403)
  })

  it('signs out', async () => {
    const headers = await signedIn()
    const { status } = await ask('DELETE', '/console/session', headers)
    assert.equal(status, 204)
    assert.equal(await whoAmI(headers), 401)
    assert.equal((await ask('DELETE', '/console/session', headers)).status, 401)
    assert.equal((await ask('DELETE', '/console/session', { ...fromPage(), authorization: 'Bearer x' })).status, 401)
  })

  it('serves its page, and says what it is', async () => {
    const { status, headers } = await ask('GET', '/console')
    assert.deepEqual([status, headers.location], [301, '/console/'])
    for (const path of ['/console/', '/console/nodes']) {
      const { status, headers, text } = await ask('GET', path)
      assert.deepEqual([status, headers['content-type'], text], [200, 'text/html; charset=utf-8', '<!doctype html>'])
    }
    assert.equal((await ask('HEAD', '/console/')).text, '')
    const config = await ask('GET', '/console/config.json')
    assert.equal(config.headers['cache-control'], 'no-store')
    const { version, ...rest } = JSON.parse(config.text)
    assert.match(version, /^\d+\.\d+\.\d+/)
    assert.deepEqual(rest, { signIn: ['link', 'token'], proxied: false, name: new URL(own()).host })
  })

  it('guards all of its answers', async () => {
    const wrong = { ...fromPage(), origin: 'https://evil.example' }
    for (const [method, path, headers, status] of [
      ['GET', '/console/', {}, 200],
      ['GET', '/console', {}, 301],
      ['GET', '/console/assets/a-1.js', {}, 200],
      ['GET', '/console/config.json', {}, 200],
      ['GET', '/console/none.js', {}, 404],
      ['PUT', '/console/', {}, 405],
      ['GET', '/console/session', {}, 405],
      ['GET', '/console/', { host: 'evil.example' }, 421],
      ['POST', '/console/session', wrong, 403]
    ] as const) {
      const answer = await ask1(method, path, headers)
      assert.equal(answer.status, status, path)
      const policy = String(answer.headers['content-security-policy'])
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'"
      ])
        assert.ok(policy.split('; ').includes(part), part)
      assert.ok(!/unsafe|\*|http/.test(policy))
      for (const [name, value] of Object.entries(guards)) assert.equal(answer.headers[name], value, `${path} ${name}`)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  })
})

describe('a stolen link', () => {
  it('is worth nothing once it was used', async () => {
    const code = codeOf(await server.consoleLink())
    assert.equal((await redeem(code)).status, 201)
    const { status, text } = await redeem(code)
    assert.deepEqual([status, JSON.parse(text).reason], [401, 'Unauthorized'])
  })

  it('signs in one of those who use it at once', async () => {
    const code = codeOf(await server.consoleLink())
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(401)])
  })

  it('cannot be used by a page of another origin, nor by its forms', async () => {
    const code = codeOf(await server.consoleLink())
    const json = 'application/json'
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': json },
      { origin: 'https://evil.example', 'content-type': json },
      { origin: 'null', 'content-type': json },
      { origin: own().replace('https', 'http'), 'content-type': json },
      { 'sec-fetch-site': 'same-site', 'content-type': json },
      { 'sec-fetch-site': 'none', 'content-type': json }
    ] satisfies Headers[])
      assert.equal((await redeem(code, headers)).status, 403, JSON.stringify(headers))
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
      ''
    ])
      assert.equal((await redeem(code, { ...fromPage(), 'content-type': type })).status, 415, type)
    const preflight = await ask('OPTIONS', '/console/session', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST'
    })
    assert.equal(preflight.status, 405)
    assert.equal(preflight.headers['access-control-allow-origin'], undefined)
    // none of these has used it
    assert.equal((await redeem(code)).status, 201)
  })
})

describe('a request for the console', () => {
  it('has a host of the server', async () => {
    const { port } = new URL(own())
    for (const host of [
      'localhost',
      `localhost:${port}`,
      '127.0.0.1:1',
      `[::1]:${port}`,
      'api.example.com',
      'kubernetes.default.svc:443'
    ])
      assert.equal((await ask('GET', '/console/', { host })).status, 200, host)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'xapi.example.com'])
      for (const path of ['/console/', '/console/config.json', '/console/assets/a-1.js']) {
        const { status, text } = await ask('GET', path, { host })
        assert.deepEqual([status, JSON.parse(text).kind], [421, 'Status'], host)
      }
    const code = codeOf(await server.consoleLink())
    const rebound = { ...fromPage(), host: 'evil.example', origin: 'https://evil.example' }
    assert.equal((await ask1('POST', '/console/session', rebound, JSON.stringify({ code }))).status, 421)
  })

  it('has a small body that is a code', async () => {
    for (const [body, status] of [
      ['', 422],
      ['{', 400],
      ['[]', 400],
      ['null', 400],
      ['{}', 422],
      ['{"code":1}', 422],
      ['{"code":{}}', 422],
      ['{"code":"x","more":1}', 422],
      ['{"__proto__":{"code":"x"}}', 422],
      [JSON.stringify({ code: 'x'.repeat(65) }), 422],
      [JSON.stringify({ code: 'x' }), 401],
      [' '.repeat(1025), 413],
      ['x'.repeat(4_000_000), 413]
    ] as const)
      assert.equal(
        (await ask('POST', '/console/session', fromPage(), body).catch(() => ({ status: 413 }))).status,
        status,
        body.slice(0, 40)
      )
  })

  it('leads to no other file', async () => {
    for (const path of [
      '/console/../package.json',
      '/console/..%2fpackage.json',
      '/console/assets/..%2f..%2f..%2fetc/passwd.txt',
      '/console/..\\package.json',
      `/console/${folder}/index.html`,
      '/console/index.html%00.js',
      '/console//etc/passwd.x'
    ])
      assert.equal((await ask1('GET', path, {})).status, 404, path)
  })

  it('cannot end before its time, nor begin another', async () => {
    const { port } = new URL(own())
    const socket = tls.connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    let text = ''
    socket.setEncoding('latin1').on('data', piece => (text += piece))
    socket.write('GET /console/%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: localhost\r\n\r\n')
    socket.write('GET /console HTTP/1.1\r\nHost: localhost\r\nX: a\rSet-Cookie: b\r\n\r\n')
    await new Promise(resolve => socket.on('close', resolve))
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /)
    assert.doesNotMatch(text, /^set-cookie/im)
  })
})

describe('who may see the console', () => {
  it('sees a server as without one where the console is not for them', async () => {
    const none = createServer({ log: silentLogger })
    await none.start()
    try {
      const anonymous = await ask1('GET', '/console/', {}, undefined, none)
      assert.equal(anonymous.status, 403)
      assert.match(anonymous.text, /cannot get path/)
      await assert.rejects(none.consoleLink(), UserError)
    } finally {
      await none.stop()
    }
  })

  it('is never the administrator by mistake: a user of another form is refused', async () => {
    for (const user of [{ name: 'alice' }, { groups: ['dev'] }, { user: 'alice', serviceAccount: 'a/b' }])
      await assert.rejects(server.consoleLink(user), UserError, JSON.stringify(user))
  })

  it('is told how to install it', async () => {
    const bare = createServerAt({ consoleFolder: join(folder, 'assets') }, { log: silentLogger, console: 'always' })
    await bare.start()
    try {
      const { status, text } = await ask1('GET', '/console/', {}, undefined, bare)
      assert.deepEqual([status, text], [404, 'The console is not installed: npm install binnacle-console\n'])
      await assert.rejects(bare.consoleLink(), /npm install binnacle-console/)
    } finally {
      await bare.stop()
    }
  })

  it('stays signed in when the server goes back to a snapshot', async () => {
    const headers = await signedIn()
    const snapshot = await server.snapshot()
    await server.restore(snapshot)
    assert.equal(await whoAmI(headers), 'kubernetes-admin')
    await snapshot.dispose()
  })

  it('is known to a fork only by a link of the fork', async () => {
    const headers = await signedIn()
    await using fork = await server.fork()
    assert.equal((await ask1('GET', '/api/v1/namespaces', headers, undefined, fork)).status, 401)
  })
})

describe('the answer of another server', () => {
  it('does not act in the origin of the console', async () => {
    const html = '<script>alert(1)</script>'
    const extension = await startExtensionServer(
      (_, response) => {
        const cached = { 'cache-control': 'public, max-age=600' }
        response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'", ...cached })
        response.end(html)
      },
      { names: ['evil.default.svc'] }
    )
    const options = { log: silentLogger, console: 'loopback', resolveService: { 'default/evil': extension.address } } as const
    const passing = createServerAt({ consoleFolder: folder }, options)
    try {
      await passing.start()
      await passing
        .client()
        .untyped('apiregistration.k8s.io/v1', 'APIService')
        .create({
          metadata: { name: 'v1.evil.example.com' },
          spec: {
            ...{ group: 'evil.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
            ...{ service: { namespace: 'default', name: 'evil' }, caBundle: extension.caBundle }
          }
        })
      const code = codeOf(await passing.consoleLink())
      const page = { ...fromPage(), origin: passing.url }
      const { text } = await ask1('POST', '/console/session', page, JSON.stringify({ code }), passing)
      const authorization = `Bearer ${JSON.parse(text).token}`
      const get = (more: Headers) => ask1('GET', '/apis/evil.example.com/v1/x', { authorization, ...more }, undefined, passing)
      const program = await eventually(
        'the extension server answers',
        () => get({}),
        ({ status }) => status === 200
      )
      assert.equal(program.headers['content-security-policy'], "script-src 'self'")
      for (const mode of ['navigate', 'cors', 'no-cors', 'same-origin', 'websocket']) {
        const { headers, text } = await get({ 'sec-fetch-mode': mode })
        assert.equal(text, html)
        assert.equal(headers['content-security-policy'], "sandbox, script-src 'self'")
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.match(String(headers['cache-control']), /no-cache, private/)
      }
    } finally {
      await passing.stop()
      await extension.close()
    }
  })
})
