#!/usr/bin/env node
// Measures many watchers of one resource: memory of each, the time until the last of them has an event, CPU time per delivery, and what
// they cost those who write meanwhile. Beside it, the same connections to a bare Node server that sends the same bytes.
//
//   node scripts/bench/watchers.mjs [--watchers=1000,10000] [--http2] [--writes=50] [--rate=2]
//
// Each watcher has a connection of its own, or with --http2 shares one with 99 others (client-go shares one per client). Watchers are
// spread over client processes, which share this machine's processors with the server. `rate` is writes per second.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { BenchClient } from './client.mjs'
import { cpuOf, memoryOf } from './process.mjs'
import { headers, makeFolder, startServer, stop } from './server.mjs'

const maps = '/api/v1/namespaces/default/configmaps'
const streamsPerConnection = 100
const tls = { rejectUnauthorized: false }

async function measureAll() {
  const { values } = parseOptions({
    options: {
      watchers: { type: 'number', least: 1, list: true, default: [1000, 10000] },
      http2: { type: 'boolean', default: false },
      writes: { type: 'number', default: 50 },
      rate: { type: 'decimal', default: 2 }
    }
  })
  console.log('| watchers | | memory of each, kB | CPU µs per event | delivery p50, ms | p99, ms | write p50, ms | p99, ms |')
  console.log('| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const watchers of values.watchers) {
    for (const start of [startBinnacle, startBare]) {
      const figures = await measure(start, watchers, values.http2, values.writes, values.rate)
      console.log(`| ${watchers} | ${figures.join(' | ')} |`)
    }
  }
}

async function measure(start, watchers, isHttp2, writes, rate) {
  const server = await start()
  const clients = []
  try {
    await server.write('first')
    const alone = await rounds(server, writes, rate)
    const empty = server.memory()
    const share = 5000
    let delivered = 0
    const delays = []
    for (let from = 0; from < watchers; from += share) {
      const child = fork(fileURLToPath(import.meta.url), ['client'])
      clients.push(child)
      child.send({ url: server.url, watchers: Math.min(share, watchers - from), isHttp2 })
      child.on('message', message => {
        if (!message.delays) return
        delivered += message.delays.length
        for (const delay of message.delays) delays.push(delay)
      })
      await new Promise(resolve => child.on('message', message => message === 'open' && resolve()))
    }
    await settle(server)
    const each = (server.memory() - empty) / watchers / 1e3
    const before = server.cpu()
    const times = await rounds(server, writes, rate)
    for (const end = Date.now() + 60_000; delivered < watchers * writes; ) {
      if (Date.now() > end) throw new Error(`${delivered} of ${watchers * writes} events came`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const micros = ((server.cpu() - before - alone.cpu) * 1e3) / delivered
    delays.sort((a, b) => a - b)
    const at = (list, share) => list[Math.floor(list.length * share)].toFixed(1)
    return [server.name, each.toFixed(1), micros.toFixed(1), at(delays, 0.5), at(delays, 0.99), at(times, 0.5), at(times, 0.99)]
  } finally {
    for (const child of clients) child.kill()
    await server.stop()
  }
}

/** Writes at an even rate. Returns the sorted milliseconds of the writes, and the CPU time of all. */
async function rounds(server, writes, rate) {
  const before = server.cpu()
  const times = []
  for (let i = 0; i < writes; i++) {
    const begun = performance.now()
    await server.write(String(Date.now()))
    times.push(performance.now() - begun)
    await new Promise(resolve => setTimeout(resolve, Math.max(0, 1000 / rate - (performance.now() - begun))))
  }
  times.sort((a, b) => a - b)
  return Object.assign(times, { cpu: server.cpu() - before })
}

/** Waits until the server is idle. */
async function settle(server) {
  for (let last = -1, now = server.cpu(); now - last > 20; [last, now] = [now, server.cpu()]) {
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
}

const measured = (pid, rest) => ({ cpu: () => cpuOf(pid), memory: () => memoryOf(pid).rss, ...rest })

async function startBinnacle() {
  const folder = makeFolder('watchers')
  const server = await startServer(folder)
  const client = new BenchClient(server)
  return measured(server.pid, {
    name: 'Binnacle',
    url: server.url,
    async write(at) {
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'watched', labels: { app: 'bench' } },
        data: { at, filler: 'x'.repeat(2000) }
      }
      await client.must('PATCH', `${maps}/watched?fieldManager=bench`, map, { type: 'application/apply-patch+yaml' })
    },
    async stop() {
      client.close()
      await server.stop()
      fs.rmSync(folder, { recursive: true })
    }
  })
}

async function startBare() {
  const child = fork(fileURLToPath(import.meta.url), ['bare'])
  const [{ url }] = await once(child, 'message')
  return measured(child.pid, {
    name: 'bare Node',
    url,
    async write(at) {
      child.send(at)
      await once(child, 'message')
    },
    stop: () => stop(child)
  })
}

/** A server that sends each event to all streams, with a write for each. */
async function bare() {
  const { key, cert } = selfSigned()
  const streams = new Set()
  const server = http2.createSecureServer({ key, cert, allowHTTP1: true }, (_, response) => {
    response.writeHead(200)
    response.write('\n')
    streams.add(response)
  })
  server.on('session', session => session.on('error', () => {}))
  server.listen(0, '127.0.0.1', () => process.send({ url: `https://127.0.0.1:${server.address().port}` }))
  process.on('message', at => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'watched', labels: { app: 'bench' } },
      data: { at, filler: 'x'.repeat(2000) }
    }
    const event = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`)
    for (const stream of streams) stream.write(event)
    process.send('sent')
  })
}

function selfSigned() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-bare-'))
  const [key, cert] = [`${folder}/key`, `${folder}/cert`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const pair = { key: fs.readFileSync(key), cert: fs.readFileSync(cert) }
  fs.rmSync(folder, { recursive: true })
  return pair
}

/** Opens watches, and reports how long after its write each event arrived. */
async function client() {
  const [{ url, watchers, isHttp2 }] = await once(process, 'message')
  const query = `${maps}?watch=1&timeoutSeconds=3600&resourceVersion=${await versionNow(url)}`
  let delays = []
  let opened = 0
  const follow = (stream, whenOpen) => {
    let rest = ''
    stream.once('data', whenOpen)
    stream.on('error', () => {})
    stream.setEncoding('latin1')
    stream.on('data', data => {
      const lines = (rest + data).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        const at = /"at":"(\d+)"/.exec(line)
        if (at) delays.push(Date.now() - Number(at[1]))
      }
    })
  }
  const open = isHttp2 ? multiplexed(url) : separate(url)
  let next = 0
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (next++ < watchers) await new Promise((resolve, reject) => open(query, follow, resolve, reject))
    })
  )
  opened = watchers
  process.send('open')
  setInterval(() => {
    if (delays.length > 0) process.send({ delays })
    delays = []
  }, 200)
  return opened
}

const separate = url => (query, follow, resolve, reject) => {
  const request = https.get(url + query, { agent: false, headers, ...tls }, response => {
    follow(response, () => {})
    resolve()
  })
  request.on('error', reject)
}

function multiplexed(url) {
  let session
  let streams = 0
  return (query, follow, resolve, reject) => {
    if (streams++ % streamsPerConnection === 0) session = http2.connect(url, tls).on('error', reject)
    const stream = session.request({ ':path': query, ...headers })
    stream.once('response', () => resolve())
    follow(stream, () => {})
  }
}

function versionNow(url) {
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${maps}?limit=1`, { agent: false, headers, ...tls }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', data => {
        text += data
        const found = /"resourceVersion":"(\d+)"/.exec(text)
        if (found || text === '\n') {
          resolve(found?.[1] ?? '0')
          response.destroy()
        }
      })
      response.on('end', () => resolve('0'))
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
}

const role = process.argv[2]
if (role === 'client') await client()
else if (role === 'bare') await bare()
else await measureAll()
