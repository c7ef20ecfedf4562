/** The server under attack, in a process of its own, which tells how long its event loop was held and how much memory it takes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const { createServer } = await import(new URL('../../../../build/index.js', import.meta.url))
const log = { info() {}, warn() {}, debug() {}, error: (...all) => process.send({ logged: String(all[0]).slice(0, 400) }) }
const server = createServer({ log, recorder: true, testApi: true, ...JSON.parse(process.argv[2] ?? '{}') })
await server.start()

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()

function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  } catch {
    return process.memoryUsage().rss / 2 ** 20
  }
}

process.on('message', what => {
  if (what === 'begin') {
    globalThis.gc?.()
    try {
      writeFileSync('/proc/self/clear_refs', '5')
    } catch {
      // Linux alone forgets the peak
    }
    delay.reset()
    process.send({ before: process.memoryUsage().rss / 2 ** 20 })
  } else {
    const longest = delay.max / 1e6
    const most = peak()
    globalThis.gc?.()
    process.send({ longest, peak: most, heap: process.memoryUsage().heapUsed / 2 ** 20 })
  }
})
process.on('disconnect', () => process.exit())
process.send({ url: server.url, kubeconfig: server.kubeconfig() })
