#!/usr/bin/env node
// What a request costs, in microseconds, by the room of the source in which they are spent: the server runs from build/, whose files are those of src/, under
// V8's profiler, after it has answered for some seconds. Gets of a Namespace, or creates of Pods on LMDB.
//
//   node scripts/bench/stages.mjs [--seconds=8] [--http2 | --create] [--rooms=25]
//
// The profiler measures time, so this wants a machine with nothing else to do.
// Time in sockets and TLS is that of Node.js and of the system. It needs wrk, or h2load with --http2.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { headers, makeFolder, startServer } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseOptions({
  options: {
    seconds: { type: 'number', default: 8 },
    http2: { type: 'boolean', default: false },
    create: { type: 'boolean', default: false },
    rooms: { type: 'string', default: '25' }
  }
})
const seconds = Number(values.seconds)
const what = values.http2 ? 'get by HTTP/2' : values.create ? 'create' : 'get'

const folder = makeFolder('stages')
const profile = path.join(folder, 'profile.json')
const preload = path.join(folder, 'preload.mjs')
// SIGUSR2 begins the profile, and ends it
fs.writeFileSync(
  preload,
  `import fs from 'node:fs'
import { Session } from 'node:inspector'
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 200 })
let runs = false
process.on('SIGUSR2', () => {
  if (!runs) session.post('Profiler.start')
  else
    session.post('Profiler.stop', (_, { profile }) => {
      fs.writeFileSync(${JSON.stringify(`${profile}.part`)}, JSON.stringify(profile))
      fs.renameSync(${JSON.stringify(`${profile}.part`)}, ${JSON.stringify(profile)})
    })
  runs = true
})
`
)
process.env.NODE_OPTIONS = `--import=${preload}`
const server = await startServer(folder, { dist: path.join(root, 'build') })
process.env.NODE_OPTIONS = ''
try {
  load(4, 'a')
  process.kill(server.pid, 'SIGUSR2')
  const answered = load(seconds, 'b')
  process.kill(server.pid, 'SIGUSR2')
  while (!fs.existsSync(profile)) await new Promise(resolve => setTimeout(resolve, 100))
  print(JSON.parse(fs.readFileSync(profile, 'utf8')), answered)
} finally {
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

/** Returns how many requests were answered. `prefix` is that of the names of what is created. */
function load(seconds, prefix) {
  const url = `${server.url}/api/v1/namespaces/default${values.create ? '/pods' : ''}`
  const authorization = ['-H', `authorization: ${headers.authorization}`]
  if (values.http2) {
    const text = execFileSync('h2load', [`-D${seconds}`, '-c4', '-m16', '-t1', ...authorization, url], { encoding: 'utf8' })
    return Number(/(\d+) succeeded/.exec(text)[1])
  }
  const script = values.create ? ['-s', creates(prefix)] : []
  const text = execFileSync('wrk', ['-t1', '-c16', `-d${seconds}s`, ...script, ...authorization, url], { encoding: 'utf8' })
  if (text.includes('Non-2xx')) throw new Error(text)
  return Number(/(\d+) requests in/.exec(text)[1])
}

/** Writes a script of wrk that creates Pods. */
function creates(prefix) {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'NAME', labels: { app: 'web', tier: 'front' }, annotations: { 'example.com/hash': 'a7b1c2d3e4f5' } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'registry.example/app:1.2.3',
          ports: [{ containerPort: 8080, name: 'http' }],
          env: [
            { name: 'A', value: '1' },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }
          ],
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
          readinessProbe: { httpGet: { path: '/ready', port: 8080 } }
        }
      ]
    }
  }
  const file = path.join(folder, `${prefix}.lua`)
  fs.writeFileSync(
    file,
    `local n = 0
wrk.headers["content-type"] = "application/json"
request = function()
  n = n + 1
  return wrk.format("POST", nil, nil, (string.gsub([[${JSON.stringify(pod)}]], "NAME", "${prefix}" .. n)))
end
`
  )
  return file
}

function print({ nodes, samples, timeDeltas }, answered) {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))
  const rooms = new Map()
  const roomOf = memo(id => place(id, byId, parents))
  for (const [i, id] of samples.entries()) {
    const room = roomOf(id)
    if (room) rooms.set(room, (rooms.get(room) ?? 0) + timeDeltas[i])
  }
  const total = [...rooms.values()].reduce((sum, time) => sum + time, 0)
  console.log(`| room | µs per ${what} | share |\n| --- | ---: | ---: |`)
  const line = (room, time) =>
    console.log(`| ${room} | ${(time / answered).toFixed(1)} | ${((100 * time) / total).toFixed(0)} % |`)
  const sorted = [...rooms].sort((a, b) => b[1] - a[1])
  const shown = Number(values.rooms)
  for (const [room, time] of sorted.slice(0, shown)) line(room, time)
  const rest = sorted.slice(shown).reduce((sum, [, time]) => sum + time, 0)
  if (rest > 0) line('others', rest)
  line('all', total)
}

function memo(find) {
  const known = new Map()
  return key => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)
  }
}

/** The room of src/ in which a sample's time goes; undefined where nothing is done. */
function place(id, byId, parents) {
  let isInSockets = false
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const { functionName, url } = byId.get(at).callFrame
    if (functionName === '(idle)') return undefined
    if (functionName === '(garbage collector)') return 'garbage collection'
    if (/^node:(?:net|internal\/(?:stream_base|streams|tls)|_tls|tls|_stream)/.test(url)) isInSockets = true
    const own = /\/build\/([^/]+\/[^/]+)\//.exec(url)
    if (own && !url.includes('/node_modules/')) return isInSockets ? 'sockets and TLS' : own[1]
  }
  return isInSockets ? 'sockets and TLS' : 'Node.js, and what was not seen'
}
