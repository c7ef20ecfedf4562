/** A process that runs test files with one change switched on at a time, as its parent asks. */
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mutatedModules, root } from './modules.mjs'
import { switched } from './mutants.mjs'
import { collectAnew, runSuite } from './runner.mjs'

const { parts, active: first } = JSON.parse(process.argv[2])
const urlOf = name => pathToFileURL(join(root, name)).href
const texts = Object.fromEntries(
  mutatedModules(parts).map(({ name, source, mutants, first }) => [urlOf(name), switched(source, mutants, first)])
)
register('./hook.mjs', import.meta.url, { data: { texts, runner: new URL('./runner.mjs', import.meta.url).href } })

let active = first
let reached = new Set()
globalThis.$is = id => {
  reached.add(id)
  return id === active
}
let strayError
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, error => (strayError ??= error ?? event))

const loaded = new Set()
let runs = 0

async function run(test, mutant) {
  const url = urlOf(test)
  strayError = undefined
  let onLoad = []
  try {
    if (!loaded.has(test)) {
      active = first
      reached = new Set()
      collectAnew()
      await import(`${url}?run=0`)
      onLoad = [...reached]
      loaded.add(test)
    }
    active = mutant
    reached = new Set()
    const suite = collectAnew()
    await import(`${url}?run=${++runs}`)
    await runSuite(suite)
    await new Promise(resolve => setImmediate(resolve))
    if (strayError) throw strayError
    return { failed: false, reached: [...reached], onLoad }
  } catch (error) {
    return { failed: true, why: String(error?.stack ?? error).slice(0, 2000) }
  } finally {
    active = -1
  }
}

// an interrupt ends the parent, which first tells what it found
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', async ({ test, mutant, quiet }) => {
  const { reached, onLoad, ...answer } = await run(test, mutant)
  process.send(quiet ? answer : { ...answer, reached, onLoad })
})
process.send('ready')
