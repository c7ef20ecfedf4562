// Measures durable commits of the embedded store: 16 writers, each of which waits for its write before the next one.
// usage: node scripts/bench/store.mjs [commits, 20000] [writers, 16] [bytes, 3400]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

const { openLmdbStore } = await import(process.env.STORE ?? '../../build/storage/lmdb/store.js')
const [total = 20_000, writers = 16, bytes = 3400] = process.argv.slice(2).map(Number)

const directory = await mkdtemp(join(tmpdir(), 'binnacle-bench-store-'))
const store = await openLmdbStore({ directory })
const value = Buffer.alloc(bytes, 'x')

const run = async (commits, watch) => {
  const latencies = []
  let left = commits
  let events = 0
  const watcher = { onEvents: list => (events += list.length), onError() {} }
  const handle = watch ? await store.watch('/registry/configmaps/', (await store.currentRevision()) + 1, watcher) : undefined
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const cpu = process.cpuUsage()
  const started = performance.now()
  delay.enable()
  const writer = async number => {
    while (left-- > 0) {
      const begin = performance.now()
      const key = `/registry/configmaps/namespace-${number}/${Math.random().toString(36).slice(2)}-${left}`
      await store.commit([{ key, value, expected: 0 }])
      latencies.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)))
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1000
  delay.disable()
  handle?.close()
  latencies.sort((a, b) => a - b)
  const percentile = share => latencies[Math.floor(latencies.length * share)].toFixed(2)
  return {
    watched: watch,
    'CPU us/commit': ((user + system) / commits).toFixed(1),
    'user us': (user / commits).toFixed(1),
    'commits/s': Math.round(commits / seconds),
    'p50 ms': percentile(0.5),
    'p99 ms': percentile(0.99),
    'loop delay p99 ms': (delay.percentile(99) / 1e6).toFixed(2),
    'loop delay max ms': (delay.max / 1e6).toFixed(2),
    events
  }
}

await run(Math.min(2000, total), false)
console.table([await run(total, false), await run(total, true)])
await store.close()
await rm(directory, { recursive: true })
