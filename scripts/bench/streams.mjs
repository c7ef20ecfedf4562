/**
 * Many commands at once with much input and output, whose clients read slowly: nothing may be lost, and memory must stay flat.
 * `node scripts/bench/streams.mjs [streams] [MB]` after a build; 200 streams of 10 MB each way when left out.
 */

import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const build = new URL('../../build/', import.meta.url)
const user = { name: 'admin', groups: ['system:masters'] }

if (process.argv[2] === 'kubelet') {
  const { startFakeKubelet } = await import(new URL('testkit/fake-kubelet.js', build))
  process.send((await startFakeKubelet()).port)
} else if (process.argv[2] === 'clients') await clients()
else await measure(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10))

async function measure(streams, megabytes) {
  const { createServer } = await import(new URL('index.js', build))
  const kubelet = fork(fileURLToPath(import.meta.url), ['kubelet'])
  const [port] = await once(kubelet, 'message')
  const log = { info() {}, warn() {}, error: console.error }
  const server = createServer({ disableAdmissionPlugins: ['ServiceAccount'], log })
  await server.start()
  const create = (url, body) => server.inject({ method: 'POST', url, body, user })
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } }
  await create('/api/v1/nodes', { metadata: { name: 'n' }, status })
  const containers = [{ name: 'c', image: 'x' }]
  await create('/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { nodeName: 'n', containers } })
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  const begun = performance.now()
  const cpu = process.cpuUsage()
  const child = fork(fileURLToPath(import.meta.url), ['clients'])
  child.send({ url: server.url, ca: server.caCertificate, kubeconfig: server.kubeconfig(), streams, megabytes })
  const [wrong] = await once(child, 'message')
  clearInterval(watch)
  const seconds = (performance.now() - begun) / 1000
  const { user: inUser, system } = process.cpuUsage(cpu)
  const mb = bytes => Math.round(bytes / 2 ** 20)
  console.log(`${streams} streams of ${megabytes} MB each way in ${seconds.toFixed(1)} s; ${wrong} of them wrong`)
  console.log(
    `memory of the server: ${mb(before)} MB before, ${mb(most)} MB at most; ${((inUser + system) / 1e6).toFixed(1)} s of CPU`
  )
  await server.stop()
  kubelet.kill()
  process.exit(wrong === 0 ? 0 : 1)
}

async function clients() {
  const [{ url, ca, kubeconfig, streams, megabytes }] = await once(process, 'message')
  const data = name => Buffer.from(new RegExp(`${name}-data["']?: ["']?([\\w+/=]+)`).exec(kubeconfig)[1], 'base64').toString()
  const options = { ca, cert: data('client-certificate'), key: data('client-key') }
  const path = '/api/v1/namespaces/default/pods/p/exec?command=cat&stdin=1&stdout=1'
  const results = await Promise.all(
    Array.from({ length: streams }, () => one(`${url.replace('https', 'wss')}${path}`, options, megabytes))
  )
  process.send(results.filter(good => !good).length)
  process.disconnect()
}

/** Resolves with whether everything that was sent came back. */
async function one(url, options, megabytes) {
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], options)
  await once(socket, 'open')
  const [sent, received] = [createHash('sha256'), createHash('sha256')]
  let status = ''
  let unread = 0
  socket.on('message', message => {
    if (message[0] === 3) status = message.subarray(1).toString()
    if (message[0] !== 1) return
    received.update(message.subarray(1))
    unread += message.length
    if (unread < 256 * 1024) return
    // a slow reader
    unread = 0
    socket.pause()
    setTimeout(() => socket.resume(), 20)
  })
  const closed = once(socket, 'close')
  for (let left = megabytes * 32; left > 0; left--) {
    const piece = randomBytes(32 * 1024)
    sent.update(piece)
    await new Promise((resolve, reject) =>
      socket.send(Buffer.concat([Buffer.from([0]), piece]), error => (error ? reject(error) : resolve()))
    )
  }
  socket.send(Buffer.from([255, 0]))
  await closed
  return sent.digest('hex') === received.digest('hex') && status.includes('Success')
}
