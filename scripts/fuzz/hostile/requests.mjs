#!/usr/bin/env node
/**
 * Sends requests that a hostile client with credentials could send, and prints for each how long it held the server's event loop,
 * how much memory it took meanwhile, and how much of that stayed. A line with a `!` is a reason to look: longer than --limit
 * milliseconds, more than --memory MB, an error in the log, or the end of the server. Build first.
 *
 *   node scripts/fuzz/hostile/requests.mjs [--limit=500] [--memory=300] [PART-OF-NAME…]
 *
 * The probes are in requests/, a file per subject. Each file has a server of its own.
 */
import { readdirSync } from 'node:fs'
import { parseOptions } from '../../shared/options.mjs'
import { Target } from './requests/target.mjs'

const { values, positionals: parts } = parseOptions({
  allowPositionals: true,
  options: { limit: { type: 'number', default: 500 }, memory: { type: 'number', default: 300 } }
})
const folder = new URL('requests/', import.meta.url)

function show(name, { answer, total, longest, memory, kept, ended }, logged) {
  const isBad = longest > values.limit || memory > values.memory || ended || logged.length > 0
  const times = `held ${longest.toFixed()} of ${total.toFixed()} ms`
  console.log(`${isBad ? '!' : ' '} ${name}: ${times}, ${memory.toFixed()} MB more, ${kept.toFixed()} MB stay; ${answer}`)
  for (const text of logged.slice(0, 3)) console.log(`    logged: ${text}`)
  if (ended) console.log(`    the server has ended: ${ended}`)
}

for (const file of readdirSync(folder).sort()) {
  const subject = file.replace('.mjs', '')
  if (subject === 'server' || subject === 'target') continue
  const { probes, options, prepare } = await import(new URL(file, folder))
  const wanted = Object.entries(probes).filter(
    ([name]) => parts.length === 0 || parts.some(part => `${subject}: ${name}`.includes(part))
  )
  if (wanted.length === 0) continue
  const target = await Target.start(options)
  await prepare?.(target)
  for (const [name, probe] of wanted) {
    try {
      show(`${subject}: ${name}`, await target.measured(probe), target.logged)
    } catch (error) {
      console.log(`! ${subject}: ${name}: ${error.stack}`)
    }
    if (target.ended) break
  }
  if (!target.ended) target.stop()
}
process.exit()
