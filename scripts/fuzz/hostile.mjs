// Holds many hostile connections of each sort open during normal work, and prints the costs: memory, latency of the normal work, and
// the number of connections that the server has closed. Then sends random texts with lists in them, which a strict reader checks.
//   npm run hostile -- [SORT…] [--connections=300] [--seconds=15] [--settle=5]
//   --settle: seconds between connecting and measuring
//   npm run hostile -- bytes [--from=1] [--seeds=200000]: hostile/bytes.mjs
//   npm run hostile -- outgoing [--from=1] [--seeds=20000]: hostile/outgoing.mjs
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { urlOf } from '../shared/server-url.mjs'

if (process.argv[2] === 'bytes') await import('./hostile/bytes.mjs')
if (process.argv[2] === 'outgoing') await import('./hostile/outgoing.mjs')

const { values, positionals } = parseOptions({
  allowPositionals: true,
  options: {
    connections: { type: 'number', default: 300 },
    seconds: { type: 'number', default: 15 },
    settle: { type: 'number', default: 5 }
  }
})
const connections = Number(values.connections)
const seconds = Number(values.seconds)
const root = fileURLToPath(new URL('../..', import.meta.url))
const dataDir = path.join(os.tmpdir(), `binnacle-hostile-${process.pid}`)
const server = spawn(
  process.execPath,
  [path.join(root, 'dist/cli/main.js'), 'serve', '--secure-port=0', `--data-dir=${dataDir}`],
  { stdio: ['ignore', 'pipe', 'inherit'] }
)
const url = new URL(await urlOf(server))
const field = name =>
  Buffer.from(new RegExp(`${name}: (\\S+)`).exec(readFileSync(path.join(dataDir, 'kubeconfig'), 'utf8'))[1], 'base64')
const admin = { cert: field('client-certificate-data'), key: field('client-key-data'), ca: field('certificate-authority-data') }
const agent = new https.Agent({ ...admin, keepAlive: true, maxSockets: 4 })

function ask(method, target, body) {
  return new Promise((resolve, reject) => {
    const message = https.request(new URL(target, url), { method, agent, headers: { 'content-type': 'application/json' } })
    message.on('error', reject).on('response', answer => answer.resume().on('end', () => resolve(answer.statusCode)))
    message.end(body)
  })
}

const maps = '/api/v1/namespaces/default/configmaps'
const data = { text: 'x'.repeat(3000) }
for (let i = 0; i < 2000; i++) await ask('POST', maps, JSON.stringify({ metadata: { name: `m-${i}`, labels: { a: 'b' } }, data }))

const open = (options = {}) => {
  const socket = tls.connect({
    port: url.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...options
  })
  socket.on('error', () => {})
  return socket
}
/** Runs `use` with the connected socket, and gives the socket. */
const connected = (options, use) => {
  const socket = open(options)
  socket.once('secureConnect', () => use(socket))
  return socket
}
const drip = (socket, first, rest) => {
  socket.write(first)
  const timer = setInterval(() => (socket.writable ? socket.write(rest) : clearInterval(timer)), 500)
}
const unread = (options, text) =>
  connected(options, socket => {
    socket.pause()
    socket.write(text)
  })
const session = use => {
  const session = http2.connect(url, { ...admin })
  session.on('error', () => {})
  use?.(session)
  return session
}
const get = (target, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

/** Each opens one connection, which has `closed` or `destroyed`. */
const sorts = {
  'no handshake': () => import('node:net').then(net => net.connect(url.port, '127.0.0.1').on('error', () => {})),
  'idle after the handshake': () => open(),
  'half headers': () => connected({}, socket => socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-')),
  'headers by drops': () => connected({}, socket => drip(socket, 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n')),
  'headers without end': () =>
    connected({}, socket => drip(socket, 'GET / HTTP/1.1\r\nHost: x\r\n', `X-A: ${'b'.repeat(100_000)}\r\n`)),
  'silent body': () =>
    connected(admin, socket => socket.write(`POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n{`)),
  'body without credentials': () =>
    connected({}, socket =>
      drip(socket, `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`, 'x'.repeat(100_000))
    ),
  'unread list': () => unread(admin, get(maps)),
  'unread compressed list': () => unread(admin, get(maps, 'Accept-Encoding: gzip\r\n')),
  'unread Table': () => unread(admin, get(maps, 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n')),
  'unread watch': () => unread(admin, get(`${maps}?watch=1`)),
  'idle HTTP/2': () => session(),
  'pings over HTTP/2': () =>
    session(session => {
      const timer = setInterval(() => (session.destroyed ? clearInterval(timer) : session.ping(() => {})), 100)
    }),
  'unread lists over HTTP/2': () =>
    session(session => {
      for (let i = 0; i < 5; i++)
        session
          .request({ ':path': maps })
          .on('error', () => {})
          .pause()
    })
}

const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Reads and writes for a while: milliseconds of the median and of the slowest in a hundred. */
async function work() {
  const times = []
  let n = 0
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const started = performance.now()
    const status =
      n % 2
        ? await ask('GET', `${maps}/m-${n % 2000}`)
        : await ask('PATCH', `${maps}/m-${n % 2000}`, '{}').then(s => (s === 415 ? 200 : s))
    if (status !== 200) throw new Error(`normal work got ${status}`)
    times.push(performance.now() - started)
    n++
    await sleep(2)
  }
  times.sort((a, b) => a - b)
  return { median: times[times.length >> 1], slow: times[Math.floor(times.length * 0.99)] }
}

const show = (name, { median, slow }, peak, closed) =>
  console.log(`${name.padEnd(28)} median ${median.toFixed(2)} ms, p99 ${slow.toFixed(2)} ms, ${Math.round(peak)} MB${closed}`)

show('nothing else', await work(), rss(), '')
for (const [name, connect] of Object.entries(sorts)) {
  if (positionals.length > 0 && !positionals.some(wanted => name.includes(wanted))) continue
  const all = await Promise.all(Array.from({ length: connections }, connect))
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, rss())
  }, 100)
  await sleep(Number(values.settle) * 1000)
  const times = await work()
  clearInterval(timer)
  const closed = all.filter(socket => socket.destroyed || socket.closed).length
  show(name, times, peak, `, closed ${closed} of ${connections}`)
  for (const socket of all) socket.destroy()
  await sleep(500)
}
agent.destroy()
server.kill('SIGTERM')
server.once('exit', () => {
  rmSync(dataDir, { recursive: true, force: true })
  if (positionals.length === 0) texts()
})

function texts() {
  const seed = String(Date.now() % 2 ** 31)
  console.log(`random texts, HOSTILE_SEED=${seed}`)
  const env = { ...process.env, HOSTILE_TEXTS: '20000', HOSTILE_SEED: seed }
  const { status } = spawnSync(process.execPath, ['--test', path.join(root, 'build/testkit/e2e/hostile-texts.test.js')], {
    env,
    stdio: 'inherit'
  })
  process.exitCode = status ?? 1
}
