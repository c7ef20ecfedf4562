/** Extension API servers that answer without end, or with more than anybody wants. */
import { startHttps } from '../../../../build/testkit/webhook-server.js'
import { sleep } from './target.mjs'

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i))
const shown = ({ status, body }) => `${status} ${body.length}: ${body.subarray(0, 120)}`

/** What the back end does with the requests of a path, by how the path begins. */
const rules = new Map()
let asked = 0
const server = await startHttps(
  (request, response) => {
    const rule = [...rules].find(([path]) => request.url.startsWith(path))?.[1]
    response.on('error', () => {})
    request.socket.on('error', () => {})
    if (rule) asked++
    if (rule) return rule(request, response)
    if (!/^\/apis\/[^/]+\/v1$/.test(request.url)) return response.writeHead(404).end()
    answerJson(response, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: request.url.slice(6), resources: [] })
  },
  // as in front of the server: whoever is asked may do what it likes
  { maxHeaderSize: 1 << 20 }
)
const names = many(30, i => `s${i}`)
export const options = { resolveService: Object.fromEntries(names.map(name => [`default/${name}`, server.host])) }

const answerJson = (response, body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

/** Sends what `next` returns for as long as it is taken. */
function flood(writable, next) {
  let isOver = false
  writable.once('close', () => (isOver = true))
  const more = () => {
    while (!isOver) if (!writable.write(next())) return void writable.once('drain', () => setImmediate(more))
  }
  more()
}

let used = 0
/** Declares a group version of its own, with these rules for paths below it or others; resolves with the path of the group version. */
async function declare(target, ofPath, others = {}) {
  const service = names[used++]
  const group = `${service}.hostile.example.com`
  rules.clear()
  for (const [path, rule] of Object.entries(others)) rules.set(path, rule)
  for (const [path, rule] of Object.entries(ofPath)) rules.set(`/apis/${group}/v1${path}`, rule)
  const spec = {
    group,
    version: 'v1',
    service: { namespace: 'default', name: service, port: 443 },
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true
  }
  const made = await target.send('POST', services, { metadata: { name: `v1.${group}` }, spec })
  if (made.status !== 201) throw new Error(shown(made))
  return { path: `/apis/${group}/v1`, name: `v1.${group}` }
}

async function available(target, name, milliseconds = 5000) {
  const end = performance.now() + milliseconds
  for (;;) {
    const { body } = await target.send('GET', `${services}/${name}`)
    const condition = JSON.parse(body).status?.conditions?.[0]
    if (condition?.status === 'True' || performance.now() > end)
      return condition?.status === 'True' ? 'available' : condition?.message
    await sleep(50)
  }
}

const passedOn =
  (rule, { path: asks = '/things', wait = 5000, ...more } = {}) =>
  async target => {
    const { path, name } = await declare(target, { '/things': rule })
    const state = await available(target, name)
    const start = performance.now()
    const answer = await Promise.race([
      target.send('GET', path + asks, undefined, {}, more).then(shown, error => `${error.message}`),
      sleep(wait).then(() => 'still open')
    ])
    await target.send('DELETE', `${services}/${name}`)
    return `${state}; ${answer} after ${(performance.now() - start).toFixed()} ms`
  }

/** Lets the server follow a group version for a while. */
const followed =
  (ofPath, others, seconds = 4, asks = []) =>
  async target => {
    asked = 0
    const { name } = await declare(target, ofPath, others)
    const state = await available(target, name, 8000)
    await sleep(seconds * 1000)
    const answers = []
    for (const path of asks)
      answers.push(await target.send('GET', path).then(({ status, body }) => `${path} ${status} ${body.length}`, String))
    await target.send('DELETE', `${services}/${name}`)
    rules.clear()
    return `${state}; ${asked} requests; ${answers}`
  }
const raw = (head, next) => (_, response) => {
  response.socket.write(head)
  flood(response.socket, next)
}
const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const resource = (name, verbs = ['delete', 'get', 'list', 'watch']) => ({
  name,
  singularName: name,
  namespaced: true,
  kind: 'Thing',
  verbs
})
const listOf = resources => (_, response) => answerJson(response, { kind: 'APIResourceList', apiVersion: 'v1', resources })
const page = Array.from({ length: 500 }, () => 0)
let uid = 0

export const probes = {
  'headers without end': passedOn(raw(ok, () => `a: ${'x'.repeat(1000)}\r\n`)),
  'a header without end': passedOn(raw(`${ok}a: `, () => 'x'.repeat(10_000))),
  'interim answers without end': passedOn(raw('', () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))),
  'interim answers with headers without end': passedOn(
    raw('', () => `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(1000)}\r\n\r\n`.repeat(10))
  ),
  'an empty answer of switched protocols': passedOn(raw('HTTP/1.1 101 Switching Protocols\r\n\r\n', () => 'x'.repeat(10_000))),
  'an extension of a chunk without end': passedOn(raw(`${chunked}1;a=`, () => 'x'.repeat(10_000))),
  'trailers without end': passedOn(raw(`${chunked}1\r\na\r\n0\r\n`, () => `a: ${'x'.repeat(1000)}\r\n`)),
  'chunks of a byte without end': passedOn(raw(chunked, () => '1\r\na\r\n'.repeat(1000))),
  'no answer': passedOn(() => {}, { path: '/things?timeout=1s' }),
  'a body that stands still': passedOn(
    raw(`${ok}content-length: 100\r\n\r\n`, () => 'x'),
    { path: '/things?timeout=1s' }
  ),
  'a body of 2 bytes a second': passedOn(
    (_, response) => {
      response.socket.write(`${ok}content-length: 100\r\n\r\n`)
      const timer = setInterval(() => response.socket.write('x'), 500)
      response.socket.once('close', () => clearInterval(timer))
    },
    { path: '/things?timeout=1s' }
  ),
  'a body without end': passedOn(
    raw(chunked, () => `10000\r\n${'x'.repeat(65536)}\r\n`),
    { path: '/things?timeout=1s' }
  ),
  'a body without end for a client that reads nothing': async target => {
    const { path, name } = await declare(target, { '/things': raw(chunked, () => `10000\r\n${'x'.repeat(65536)}\r\n`) })
    const state = await available(target, name)
    const session = target.http2()
    const streams = many(50, () => session.request({ ':path': `${path}/things?watch=1` }))
    for (const stream of streams) stream.on('error', () => {}).pause()
    await sleep(3000)
    session.destroy()
    return `${state}; ${streams.length} streams`
  },
  'an upgrade that floods a client that reads nothing': async target => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'
    const { path, name } = await declare(target, { '/things': raw(head, () => 'x'.repeat(65536)) })
    const state = await available(target, name)
    const sockets = []
    for (let i = 0; i < 50; i++) {
      const socket = await target.connect()
      socket.pause()
      socket.write(`GET ${path}/things/a/connect HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n`)
      sockets.push(socket)
    }
    await sleep(3000)
    for (const socket of sockets) socket.destroy()
    return `${state}; ${sockets.length} connections`
  },
  'a discovery check without end': followed({ '': raw(chunked, () => `10000\r\n${'x'.repeat(65536)}\r\n`) }, {}, 5),
  'discovery without end': followed({}, { '/apis?': () => {}, '/apis': raw(chunked, () => `10000\r\n${'['.repeat(65536)}\r\n`) }),
  'aggregated discovery of 30 MB': followed(
    {},
    {
      '/apis': ({ url, headers }, response) => {
        if (url !== '/apis') return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
        const type = headers.accept?.split(',')[0] ?? ''
        response.writeHead(200, { 'content-type': type })
        const versions = `{"version":"v1","resources":[${Array(7_000_000).fill('{}').join()}]}`
        response.end(`{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"s.example.com"},"versions":[${versions}]}]}`)
      }
    },
    6
  ),
  'discovery of 100,000 resources': followed({ '': listOf(many(100_000, i => resource(`r${i}`, ['get']))) }, {}, 8, ['/apis']),
  'an OpenAPI v2 document of 60 MB': followed(
    {},
    {
      '/openapi/v2': (_, response) =>
        response.end(
          `{"swagger":"2.0","info":{"title":"a","version":"1"},"paths":{},"definitions":{"a":{"enum":[${Array(25_000_000).fill(1).join()}]}}}`
        )
    },
    6,
    ['/openapi/v2']
  ),
  'an OpenAPI v2 document of 200,000 definitions': followed(
    {},
    {
      '/openapi/v2': (_, response) => {
        const definitions = Object.fromEntries(
          many(200_000, i => [`d${i}`, { type: 'object', properties: { a: { type: 'string' } } }])
        )
        response.end(JSON.stringify({ swagger: '2.0', info: { title: 'a', version: '1' }, paths: {}, definitions }))
      }
    },
    6,
    ['/openapi/v2', '/openapi/v3']
  ),
  'an OpenAPI v3 index of 60 MB': followed(
    {},
    {
      '/openapi/v3': (_, response) =>
        response.end(
          `{"paths":{${many(600_000, i => `"apis/a${i}/v1":{"serverRelativeURL":"/openapi/v3/apis/${'x'.repeat(50)}"}`)}}}`
        )
    },
    6,
    ['/openapi/v3']
  ),
  'lists of owned objects without end': followed(
    {
      '/things?watch': () => {},
      '/things': (_, response) =>
        answerJson(response, {
          metadata: { continue: 'x', resourceVersion: '1' },
          items: page.map(() => ({
            metadata: {
              name: 'a',
              namespace: 'default',
              uid: `${uid++}`.padEnd(1000),
              ownerReferences: [{ uid: 'x', name: 'x', kind: 'ConfigMap', apiVersion: 'v1' }]
            }
          }))
        }),
      '': listOf([resource('things')])
    },
    {},
    8
  ),
  'events without end': followed(
    {
      '/things?watch': raw(chunked, () => {
        const metadata = {
          name: 'a',
          namespace: 'default',
          uid: `${uid++}`,
          ownerReferences: [{ uid: 'x', name: 'x', kind: 'ConfigMap', apiVersion: 'v1' }]
        }
        const text = `${JSON.stringify({ type: 'ADDED', object: { metadata } })}\n`
        return `${text.length.toString(16)}\r\n${text}\r\n`
      }),
      '/things': (_, response) => answerJson(response, { metadata: { resourceVersion: '1' }, items: [] }),
      '': listOf([resource('things')])
    },
    {},
    8
  )
}
