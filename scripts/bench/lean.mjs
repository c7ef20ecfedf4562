// Measures servers of few groups beside one of all, and beside a process of Node that does nothing: start and memory. Prints a table as
// docs/sizes.md has it.
//
//   node scripts/bench/lean.mjs [--rounds=5]
import { spawn } from 'node:child_process'
import path from 'node:path'
import { parseOptions } from '../shared/options.mjs'
import { cpuOf, memoryOf } from './process.mjs'
import { idle, makeFolder, startServer, stop } from './server.mjs'

const rounds = Number(parseOptions({ options: { rounds: { type: 'number', default: 5 } } }).values.rounds)

const folder = makeFolder('lean')
const serve = flags => data => startServer(folder, { data, flags })
const variants = {
  'bare Node': async () => {
    const child = spawn(process.execPath, ['--eval', 'console.log(1); setInterval(() => {}, 1000)'])
    await new Promise(resolve => child.stdout.once('data', resolve))
    return { pid: child.pid, stop: () => stop(child) }
  },
  'no group of Kubernetes': serve(['--api-groups=', '--controllers=']),
  'core and definitions': serve(['--api-groups=core,apiextensions.k8s.io', '--controllers=namespace-controller']),
  everything: serve([])
}

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1]
const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`
const found = Object.fromEntries(Object.keys(variants).map(name => [name, []]))
for (let round = 0; round <= rounds; round++)
  for (const [i, [name, start]] of Object.entries(variants).entries()) {
    const began = performance.now()
    const server = await start(path.join(folder, `data-${i}`))
    const time = performance.now() - began
    await idle(() => cpuOf(server.pid))
    // the first start of each makes keys, and keeps what it has compiled
    if (round > 0) found[name].push({ time, ...memoryOf(server.pid) })
    await server.stop()
  }

console.log('| | process to listening | RSS | PSS | own memory |\n| --- | ---: | ---: | ---: | ---: |')
for (const [name, all] of Object.entries(found)) {
  const of = field => median(all.map(one => one[field]))
  console.log(
    `| ${name} | ${of('time').toFixed(0)} ms | ${['rss', 'pss', 'anonymous'].map(field => megabytes(of(field))).join(' | ')} |`
  )
}
