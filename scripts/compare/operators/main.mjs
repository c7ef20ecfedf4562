/**
 * Runs the same operator, written in Go with controller-runtime and with binnacle/operator, on one API server, and does the same to both (docs/compare.md). Prints what became of each, what it took, and
 * what differs in the end.
 *
 *   node scripts/compare/operators/main.mjs --server=https://127.0.0.1:6443 --token=TOKEN [--restart=COMMAND] [--courses=200] [--only=go|node]
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { connect } from 'binnacle/client'
import { parseOptions, refuse } from '../../shared/options.mjs'
import { isDone, state, steps } from './faults.mjs'
import { LossyProxy } from './lossy-proxy.mjs'
import { goProgram, nodeProgram, Replica } from './process.mjs'

const text = { type: 'string' }
const { values: flags } = parseOptions({
  options: { server: text, token: text, restart: text, courses: { type: 'number', least: 1, default: 200 }, only: text }
})
if (!flags.server || !flags.token) refuse('--server=URL and --token=TOKEN name the server')

const folder = mkdtempSync(join(tmpdir(), 'binnacle-operators-'))
const definition = readFileSync(fileURLToPath(new URL('config/courses.yaml', import.meta.url)), 'utf8')
const patience = 60_000

/** A client of the server itself: what is done to the connections of the operator does not concern it. */
const client = await connect({ kubeconfig: kubeconfig('direct', flags.server) })
await client.apply(definition)

function kubeconfig(name, server) {
  const file = join(folder, `${name}.kubeconfig`)
  const one = (kind, value) => [{ name: 'it', [kind]: value }]
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: one('context', { cluster: 'it', user: 'it' }),
    clusters: one('cluster', { server, 'insecure-skip-tls-verify': true }),
    users: one('user', { token: flags.token })
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

async function run(name, program) {
  const logs = join(folder, name)
  mkdirSync(logs)
  const namespace = `operators-${name}-${process.pid}`
  await client.of('v1', 'Namespace').create({ metadata: { name: namespace } })
  const proxy = await LossyProxy.to(flags.server)
  const config = kubeconfig(name, `https://127.0.0.1:${proxy.port}`)
  const replicas = []
  const of = (apiVersion, kind) => client.of({ apiVersion, kind })
  const inNamespace = resource => ({
    list: () => resource.list({ namespace }),
    create: object => resource.create({ ...object, metadata: { ...object.metadata, namespace } }),
    patch: (object, patch) => resource.patch(object, patch, { namespace }),
    delete: object => resource.delete(object, { namespace }),
    subresource: sub => ({ patch: (object, patch) => resource.subresource(sub).patch(object, patch, { namespace }) })
  })
  const leases = of('coordination.k8s.io/v1', 'Lease')
  const cluster = {
    proxy,
    names: Array.from({ length: flags.courses }, (_, index) => `course-${index}`),
    courses: inNamespace(of('compare.example.com/v1', 'Course')),
    rooms: inNamespace(of('v1', 'ConfigMap')),
    events: inNamespace(of('v1', 'Event')),
    leases,
    restart: flags.restart && (() => promisify(execFile)('sh', ['-c', flags.restart])),
    /** Runs a replica, and again when it ends, as a kubelet does. */
    start() {
      const replica = new Replica(program, config, join(logs, `${replicas.length}.log`))
      replicas.push(replica)
      replica.ended.then(() => isOver || setTimeout(cluster.start, 500))
    },
    /** The replica that holds the Lease: there is one other, which waits and so uses less CPU. */
    async leader() {
      if (running().length === 1) cluster.start()
      await pause(1500)
      return running().reduce((most, next) => (next.usage().cpu > most.usage().cpu ? next : most))
    }
  }
  const running = () => replicas.filter(replica => replica.isRunning)
  let isOver = false
  const results = {}
  let peak = 0
  cluster.start()
  for (const [step, work] of Object.entries(steps)) {
    const before = replicas.length
    const outcome = await work(cluster)
    const began = performance.now()
    let found = await state(cluster)
    while (!isDone(found, cluster) && performance.now() - began < patience) {
      await pause(50)
      found = await state(cluster)
    }
    peak = Math.max(peak, ...running().map(replica => replica.usage().peak))
    results[step] = { outcome, milliseconds: Math.round(performance.now() - began), isDone: isDone(found, cluster), found }
    console.log(
      `${name.padEnd(5)} ${step.padEnd(46)} ${results[step].isDone ? 'done after' : 'NOT DONE  '} ${results[step].milliseconds} ms, ${replicas.length - before} new replicas  ${outcome ?? ''}`
    )
  }
  console.log(
    `${name.padEnd(5)} at most ${peak} MB a replica, ${proxy.connections} connections; at the end`,
    running().map(replica => replica.usage())
  )
  isOver = true
  await Promise.all(running().map(replica => replica.signal('SIGTERM')))
  proxy.close()
  await client.of('v1', 'Namespace').delete(namespace)
  if (await leases.find('courses')) await leases.delete('courses')
  return results
}

const programs = { go: goProgram(folder), node: nodeProgram }
const all = {}
for (const [name, program] of Object.entries(programs)) {
  if (program && (!flags.only || flags.only === name)) all[name] = await run(name, program)
}
let differences = 0
if (all.go && all.node) {
  const last = Object.keys(steps).at(-1)
  for (const step of Object.keys(steps)) {
    for (const part of ['outcome', 'isDone']) if (!isDeepStrictEqual(all.go[step][part], all.node[step][part])) differences++
    for (const [part, value] of Object.entries(all.go[step].found)) {
      const other = all.node[step].found[part]
      // Events come when there is time for them
      if (isDeepStrictEqual(value, other) || (part === 'events' && step !== last)) continue
      differences++
      console.log(`${step}: ${part} differ`)
      writeFileSync(join(folder, `${differences}.json`), JSON.stringify({ step, part, go: value, node: other }, undefined, 1))
    }
  }
}
console.log(`${differences} differences; logs in ${folder}`)
await client.close()
process.exitCode = differences ? 1 : 0
