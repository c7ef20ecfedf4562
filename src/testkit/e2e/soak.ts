/**
 * A year of churn in little time: the clock of the server is a test's, the writes to the data folder are real. Leases are renewed, Events
 * are made and expire, Pods are replaced, and after every interval history is compacted. What is kept stays the same, so size,
 * memory and the time of a start must, too.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { FakeClock } from '../fake-clock.js'

export interface SoakOptions {
  readonly directory: string
  /** Rounds of churn, each of which ends with a compaction. */
  readonly churn: number
  readonly onMeasured?: (round: number, measured: Measured) => void
}

export interface Measured {
  /** Bytes of the data folder. */
  readonly disk: number
  /** Bytes of the heap after a collection. */
  readonly heap: number
  readonly startMs: number
  readonly objects: number
}

const user = { name: 'admin', groups: ['system:masters'] }
const leases = 20
const pods = 20
const podsPerRound = 5
const eventsPerRound = 10
/** The interval of compactions. */
const roundMs = 5 * 60_000
const stepMs = 30_000
/** Events live for an hour; until then their number grows. */
const roundsUntilSteady = 14

/** Returns what was measured after a tenth of the churn, but not before Events have begun to expire, and at the end. */
export async function soak({ directory, churn, onMeasured }: SoakOptions): Promise<{ early: Measured; late: Measured }> {
  const clock = new FakeClock()
  let server = await start(directory, clock)
  let early: Measured | undefined
  const tenth = Math.max(roundsUntilSteady, Math.ceil(churn / 10))
  try {
    for (let round = 1; round <= churn; round++) {
      await live(server, round)
      for (let at = 0; at < roundMs; at += stepMs) {
        clock.advance(stepMs)
        // a write gives the work that has fallen due its turn at the disk
        await renew(server, 0, `${round} and ${at}`)
      }
      if (round % tenth !== 0 && round !== churn) continue
      const objects = await countObjects(server)
      await server.stop()
      const began = performance.now()
      server = await start(directory, clock)
      const startMs = performance.now() - began
      const measured = { disk: sizeOf(directory), heap: heapInUse(), startMs, objects }
      onMeasured?.(round, measured)
      early ??= measured
      if (round === churn) return { early, late: measured }
    }
    throw new Error('no churn')
  } finally {
    await server.stop()
  }
}

async function start(dataDir: string, clock: FakeClock): Promise<BinnacleServer> {
  const server = createServer({
    storageBackend: 'lmdb',
    dataDir,
    clock,
    log: silentLogger,
    disableAdmissionPlugins: ['ServiceAccount']
  })
  await server.start()
  return server
}

async function send(server: BinnacleServer, method: string, url: string, body?: object): Promise<number> {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
  const { status, body: text } = await server.inject({ method, url, user, headers, ...(body && { body }) } as never)
  if (status >= 400 && status !== 404) throw new Error(`${method} ${url}: ${status} ${text}`)
  return status
}

async function renew(server: BinnacleServer, i: number, holderIdentity: string): Promise<void> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const lease = { metadata: { name: `node-${i}` }, spec: { holderIdentity } }
  if ((await send(server, 'PATCH', `${path}/node-${i}`, lease)) === 404) await send(server, 'POST', path, lease)
}

/** What nodes and controllers write in one round. */
async function live(server: BinnacleServer, round: number): Promise<void> {
  const replace = async (i: number) => {
    const path = '/api/v1/namespaces/default/pods'
    if (round > pods / podsPerRound)
      await send(server, 'DELETE', `${path}/pod-${i - pods}`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 })
    const env = Array.from({ length: 20 }, (_, n) => ({ name: `N${n}`, value: `${round}-${n}` }))
    await send(server, 'POST', path, { metadata: { name: `pod-${i}` }, spec: { containers: [{ name: 'c', image: 'i', env }] } })
  }
  const report = (i: number) =>
    send(server, 'POST', '/api/v1/namespaces/default/events', {
      metadata: { name: `event-${round}-${i}` },
      involvedObject: { kind: 'Pod', namespace: 'default', name: `pod-${i}` },
      reason: 'Churned'
    })
  await Promise.all([
    ...Array.from({ length: leases }, (_, i) => renew(server, i, `round ${round}`)),
    ...Array.from({ length: podsPerRound }, (_, i) => replace(round * podsPerRound + i)),
    ...Array.from({ length: eventsPerRound }, (_, i) => report(i))
  ])
}

async function countObjects(server: BinnacleServer): Promise<number> {
  const paths = ['/apis/coordination.k8s.io/v1/leases', '/api/v1/pods', '/api/v1/events']
  const lists = await Promise.all(paths.map(url => server.inject({ url, user })))
  return lists.reduce((sum, list) => sum + list.json().items.length, 0)
}

const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true }).reduce((sum, name) => {
    const file = statSync(join(directory, String(name)))
    return file.isFile() ? sum + 512 * file.blocks : sum
  }, 0)

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 3; i++) collect()
  return process.memoryUsage().heapUsed
}
