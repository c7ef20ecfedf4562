/**
 * Measures whether the steady work of one user stays quick beside another user's flood, in the same priority level.
 *
 *     node scripts/bench/fairness.mjs [--connections 100] [--seconds 10] [--every 10] [--flood get|list|create] [--steady get|create]
 *                                     [--without] [--memory]
 *
 * A server, the flood and the steady user are a process each. The steady user sends one request every 10 ms over one connection; the
 * flood sends on each of its connections the next request as soon as it has an answer. Printed are the latencies of the steady user,
 * quiet and beside the flood. `--without` serves without priority and fairness. Build first (npm run build).
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    role: { type: 'string' },
    port: { type: 'string' },
    directory: { type: 'string' },
    connections: { type: 'number', default: 100 },
    seconds: { type: 'number', default: 10 },
    every: { type: 'string', default: '10' },
    flood: { type: 'string', default: 'get' },
    steady: { type: 'string', default: 'get' },
    without: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false }
  }
})
const base = '/api/v1/namespaces/default/configmaps'
const object = JSON.stringify({ metadata: { generateName: 'made-' }, data: { text: 'x'.repeat(200) } })
const requests = {
  get: ['GET', `${base}/one`, ''],
  list: ['GET', base, ''],
  create: ['POST', base, object]
}

async function serve() {
  const { createServer } = await import('../../build/server/server.js')
  const { directory } = values
  writeFileSync(join(directory, 'tokens'), 'steady,steady,1\nflood,flood,2\n')
  const server = createServer({
    ...(values.memory ? {} : { dataDir: join(directory, 'data'), storageBackend: 'lmdb' }),
    tokenAuthFile: join(directory, 'tokens'),
    authorizationMode: ['AlwaysAllow'],
    enablePriorityAndFairness: !values.without,
    controllers: [],
    log: { error: console.error, warn: console.error, info() {} }
  })
  await server.start()
  const admin = { name: 'admin', groups: ['system:masters'] }
  const create = body => server.inject({ url: base, user: admin, body })
  for (let i = 0; i < 100; i++)
    await create({ metadata: { name: i === 0 ? 'one' : `many-${i}` }, data: { text: 'x'.repeat(200) } })
  process.on('message', () => server.stop())
  process.on('disconnect', () => process.exit())
  process.send({ port: Number(new URL(server.url).port) })
}

/** Sends requests in closed loops over many connections, as cheaply as possible, so that the server is what is measured. */
function flood() {
  // the machine's processors are first of all for the server and the steady user
  setPriority(Math.min(getPriority() + 10, 19))
  const [method, path, body] = requests[values.flood]
  const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const request = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer flood\r\n${length}\r\n${body}`
  const counts = { answered: 0, refused: 0 }
  for (let i = 0; i < Number(values.connections); i++) {
    const socket = tls.connect({ host: '127.0.0.1', port: Number(values.port), rejectUnauthorized: false })
    let head = ''
    let left = -1
    const next = () => socket.write(request)
    socket.on('secureConnect', next)
    socket.on('error', error => process.send({ error: error.message }))
    socket.on('data', chunk => {
      if (left < 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        left = Number(/content-length: (\d+)/i.exec(head)[1]) - (head.length - end - 4)
        counts[head.startsWith('HTTP/1.1 429') ? 'refused' : 'answered']++
        head = ''
      } else left -= chunk.length
      if (left > 0) return
      left = -1
      next()
    })
  }
  process.on('message', () => process.send(counts))
  process.on('disconnect', () => process.exit())
}

async function measure() {
  const directory = mkdtempSync(join(tmpdir(), 'bench-fairness-'))
  const start = (role, ...more) =>
    fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--role', role, '--directory', directory, ...more])
  const answer = child => new Promise(resolve => child.once('message', resolve))
  const counted = flooding => {
    flooding.send('count')
    return answer(flooding)
  }
  const server = start('server')
  try {
    const { port } = await answer(server)
    const seconds = Number(values.seconds)
    await steady(port, 3)
    const quiet = await steady(port, seconds)
    const flooding = start('flood', '--port', String(port))
    flooding.on('message', ({ error }) => error && console.error(error))
    await new Promise(resolve => setTimeout(resolve, 2000))
    const before = await counted(flooding)
    const beside = await steady(port, seconds)
    const after = await counted(flooding)
    flooding.disconnect()
    const rate = name => Math.round((after[name] - before[name]) / seconds)
    console.log(`quiet:  ${shown(quiet)}`)
    console.log(`beside: ${shown(beside)}`)
    console.log(`p99 beside / quiet: ${(at(beside, 0.99) / at(quiet, 0.99)).toFixed(2)}`)
    console.log(`flood: ${rate('answered')} answered and ${rate('refused')} refused a second`)
  } finally {
    server.send('stop')
    await new Promise(resolve => setTimeout(resolve, 500))
    server.disconnect()
    rmSync(directory, { recursive: true, force: true })
  }
}

const at = (sorted, quantile) => sorted[Math.min(Math.floor(sorted.length * quantile), sorted.length - 1)]
const shown = sorted =>
  [0.5, 0.9, 0.99, 1].map(q => `${q === 1 ? 'max' : `p${q * 100}`} ${at(sorted, q).toFixed(2)} ms`).join(', ') +
  ` (${sorted.length} requests)`

/** Sends a request every few milliseconds, and returns how long each took, sorted. */
async function steady(port, seconds) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const [method, path, body] = requests[values.steady]
  const headers = { authorization: 'Bearer steady', ...(body && { 'content-type': 'application/json' }) }
  const one = () =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const request = https.request({ agent, host: '127.0.0.1', port, method, path, headers }, response => {
        if (response.statusCode >= 300) reject(new Error(`status ${response.statusCode}`))
        response.resume().on('end', () => resolve(performance.now() - began))
      })
      request.on('error', reject).end(body)
    })
  const times = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    times.push(await one())
    await new Promise(resolve => setTimeout(resolve, Number(values.every)))
  }
  agent.destroy()
  return times.sort((a, b) => a - b)
}

if (values.role === 'server') await serve()
else if (values.role === 'flood') flood()
else await measure()
