/**
 * Mutation testing: changes one comparison, condition or constant at a time in a built module, runs the tests that reach it, and lists
 * the changes that no test notices.
 *
 *     node scripts/test/mutate.mjs authorization/abac authorization/union [--jobs 2] [--tests 8] [--sample 0.2 [--seed 1]] [--seconds 600] [--running]
 *
 * An interrupt (Ctrl-C) ends it with what was found so far.
 *
 * Arguments are parts of paths in src/; what has a part after `!` is left out. Nothing is written: a hook hands the changed text to
 * Node. Build first (npm run build).
 *
 * A process loads the modules once, with all changes behind a switch, and runs tests again and again (mutate/worker.mjs). First each of
 * the `--tests` nearest tests of a module runs without a change, to learn which changes it reaches; a change is then tried by these
 * only. What is evaluated while a module loads is tried in a process of its own, which takes seconds: leave tables out ('!bootstrap/'),
 * or all of it with `--running`.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { mutatedModules, testsOf } from './mutate/modules.mjs'

const { values, positionals } = parseOptions({
  allowPositionals: true,
  options: {
    jobs: { type: 'number', default: 2 },
    tests: { type: 'number', default: 8 },
    sample: { type: 'decimal', most: 1, default: 1 },
    seed: { type: 'number', default: 1 },
    running: { type: 'boolean', default: false },
    seconds: { type: 'number', default: 86400 },
    verbose: { type: 'boolean', default: false }
  }
})
const none = -1
const firstRunMs = 120_000
const worker = fileURLToPath(new URL('mutate/worker.mjs', import.meta.url))

/** A process that runs tests; starts anew when a test does not end. */
class Worker {
  #child
  #active
  #runs = 0

  constructor(active = none) {
    this.#active = active
  }

  async #start() {
    const args = JSON.stringify({ parts: positionals, active: this.#active })
    this.#child = fork(worker, [args], { stdio: ['ignore', 'ignore', values.verbose ? 'inherit' : 'ignore', 'ipc'] })
    this.#runs = 0
    await this.#answer(firstRunMs)
  }

  #answer(ms) {
    const child = this.#child
    return new Promise(resolve => {
      const done = answer => {
        clearTimeout(timer)
        child.off('message', done)
        child.off('exit', ended)
        resolve(answer)
      }
      const ended = () => {
        if (this.#child === child) this.#child = undefined
        done({ failed: true, why: 'the process ended' })
      }
      const timer = setTimeout(() => {
        this.stop()
        done({ failed: true, why: 'no end' })
      }, ms)
      child.on('message', done)
      child.on('exit', ended)
    })
  }

  async run(test, mutant, ms, quiet = true) {
    if (this.#runs++ > 400) this.stop()
    if (!this.#child) await this.#start()
    this.#child.send({ test, mutant, quiet })
    return this.#answer(ms)
  }

  stop() {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

const modules = mutatedModules(positionals)
const tests = new Map(modules.map(({ name }) => [name, testsOf(name).slice(0, Number(values.tests))]))
/**
 * By test: how long it takes, and the changes that it reaches: `reached` in each run, `onLoad` while modules load, `ever` in any way.
 * What only the first run reaches is remembered by the program since, and is tried in a process of its own.
 */
const baseline = new Map()
const end = Date.now() + Number(values.seconds) * 1000
let interrupted = false
process.once('SIGINT', () => (interrupted = true))
const isOver = () => interrupted || Date.now() > end

async function inParallel(queue, work) {
  const one = async () => {
    const worker = new Worker()
    for (let item = queue.shift(); item !== undefined && !isOver(); item = queue.shift()) await work(worker, item)
    worker.stop()
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, one))
}

await inParallel([...new Set([...tests.values()].flat())], async (worker, test) => {
  const { onLoad = [], reached: first = [] } = await worker.run(test, none, firstRunMs, false)
  const start = Date.now()
  const { failed, why, reached } = await worker.run(test, none, firstRunMs, false)
  if (failed) console.log(`${test} fails without a change, and is not used: ${why}`)
  else if (values.verbose) console.log(`${test}: ${Date.now() - start} ms, reaches ${reached.length}`)
  const ever = new Set([...onLoad, ...first, ...(reached ?? [])])
  if (!failed) baseline.set(test, { ms: Date.now() - start, reached: new Set(reached), onLoad: new Set(onLoad), ever })
})
const reachedOnLoad = id => [...baseline.values()].some(({ onLoad }) => onLoad.has(id))
const reachedOnce = id => [...baseline.values()].some(({ ever, reached }) => ever.has(id) && !reached.has(id))

/** A number from 0 to 1 that depends on the text alone: the same sample every time. */
const fraction = text => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
const queue = modules
  .flatMap(({ name, source, mutants, first }) => mutants.map((mutant, i) => ({ name, source, id: first + i, ...mutant })))
  .filter(({ id }) => !values.running || !reachedOnLoad(id))
  .filter(({ name, start, shown }) => fraction(`${values.seed} ${name} ${start} ${shown}`) < values.sample)
const all = queue.length
const results = new Map()
const resultOf = name => results.get(name) ?? results.set(name, { killed: 0, survived: 0, unreached: 0 }).get(name)

/** Tries a change; resolves with the test that notices it. */
async function noticing(worker, { name, id }) {
  const known = tests.get(name).filter(test => baseline.has(test))
  const fresh = reachedOnce(id)
  // what is evaluated while the module loads was seen in the test that loaded it first, and counts in all that import it
  const onLoad = reachedOnLoad(id)
  const candidates = known
    .filter(test => onLoad || baseline.get(test).ever.has(id))
    .sort((a, b) => baseline.get(a).ms - baseline.get(b).ms)
  for (const test of candidates) {
    const { ms, reached } = baseline.get(test)
    const timeout = ms * 10 + 10_000
    if (reached.has(id) && (await worker.run(test, id, timeout)).failed) {
      // the change must not be blamed for what an earlier one left behind
      if (!(await worker.run(test, none, timeout)).failed) return { test, candidates }
      worker.stop()
      if ((await worker.run(test, id, timeout)).failed) return { test, candidates }
    }
  }
  if (fresh)
    for (const test of candidates) {
      const own = new Worker(id)
      const { failed } = await own.run(test, id, firstRunMs)
      own.stop()
      if (failed) return { test, candidates }
    }
  return { candidates }
}

await inParallel(queue, async (worker, mutant) => {
  const { name, source, start, end, shown } = mutant
  const { test, candidates } = await noticing(worker, mutant)
  const result = resultOf(name)
  if (test) {
    result.killed++
    return
  }
  result.survived++
  if (candidates.length === 0) result.unreached++
  const line = source.slice(0, start).split('\n').length
  const text = source.slice(start, end).replace(/\s+/g, ' ')
  console.log(`${name}:${line}: ${text.slice(0, 200)} → ${shown}${candidates.length === 0 ? '   (no test reaches it)' : ''}`)
})

const total = { killed: 0, survived: 0, unreached: 0 }
for (const [name, result] of results) {
  console.log(`${name}: ${result.killed} killed, ${result.survived} survived`)
  for (const key in total) total[key] += result[key]
}
const tried = total.killed + total.survived
console.log(
  `${tried} changes, ${total.survived} survived (${((100 * total.survived) / tried).toFixed(1)} %), of which no test reaches ${total.unreached}` +
    (tried === all ? '' : `; ${all - tried} not tried`)
)
process.exit()
