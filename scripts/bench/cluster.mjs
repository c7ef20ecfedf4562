#!/usr/bin/env node
import { createServer } from '../../dist/index.js'
// Measures a simulated cluster in this process, without a port, in memory: how long a Deployment takes from its creation to readiness, how long many
// Pods take, and the memory that they need. Prints one JSON object. Times are in milliseconds, memory in MB.
//
//   npm run bench -- --cluster [--pods=1000] [--nodes=100] [--rounds=20]
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    pods: { type: 'number', default: 1000 },
    nodes: { type: 'string', default: '100' },
    rounds: { type: 'number', default: 20 }
  }
})
const [pods, nodes, rounds] = [values.pods, values.nodes, values.rounds].map(Number)
/** The Pods of each Deployment, where there are many. */
const each = 100

const cpu = since => {
  const { user, system } = process.cpuUsage(since)
  return Math.round((user + system) / 1000)
}
const deployment = (name, replicas) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
  }
})

async function start(count) {
  const server = createServer({ listen: false, storageBackend: 'memory', simulate: { nodes: count } })
  const began = performance.now()
  await server.start()
  const deployments = server.client().of('apps/v1', 'Deployment')
  const informer = deployments.informer()
  await informer.synced
  return { server, deployments, informer, took: Math.round(performance.now() - began) }
}

/** Resolves when so many replicas of all Deployments are ready. */
const ready = (informer, count) =>
  new Promise(resolve => {
    const look = () => {
      const sum = informer.list().reduce((total, { status }) => total + (status.readyReplicas ?? 0), 0)
      if (sum < count) return
      off()
      resolve()
    }
    const off = informer.on('update', look)
    look()
  })

async function oneByOne() {
  const { server, deployments, informer, took } = await start(3)
  const times = []
  for (let i = 1; i <= rounds; i++) {
    const began = performance.now()
    await deployments.create(deployment(`web-${i}`, 3))
    await ready(informer, 3 * i)
    times.push(performance.now() - began)
  }
  await server.stop()
  times.sort((a, b) => a - b)
  const at = part => Math.round(times[Math.floor(part * (times.length - 1))] * 10) / 10
  return { start: took, fastest: at(0), median: at(0.5), slowest: at(1) }
}

async function many() {
  const { server, deployments, informer, took } = await start(nodes)
  const [began, since] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: Math.ceil(pods / each) }, (_, i) => deployments.create(deployment(`web-${i}`, each))))
  await ready(informer, Math.ceil(pods / each) * each)
  const result = { start: took, ready: Math.round(performance.now() - began), cpu: cpu(since) }
  // Events are still being written
  await new Promise(resolve => setTimeout(resolve, 2000))
  const rss = Math.round(process.memoryUsage.rss() / 1e6)
  await server.stop()
  return { pods, nodes, ...result, rss }
}

// what is waited for holds no process
const alive = setInterval(() => {}, 1000)
console.log(JSON.stringify({ 'a Deployment of three': await oneByOne(), 'many Pods': await many() }, null, 2))
clearInterval(alive)
