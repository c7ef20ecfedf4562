#!/usr/bin/env node
// Plays the scenarios of test/cluster/ against a simulated cluster, and prints where its objects and Events differ from those that
// kube-controller-manager and kube-scheduler made.
//
//   node scripts/test/cluster.mjs [SCENARIO…]   starts a Binnacle itself
//                                               without a name: all but those that wait for minutes (`isSlow`)
//   --server=URL --token=TOKEN                  another cluster, whose Nodes may be kwok's
//   --record                                    records what it makes; use it with kube-controller-manager only
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { play } from '../../test/cluster/play.mjs'
import { Client } from '../../test/conformance/client.mjs'
import { startOwnServer } from '../../test/conformance/own-server.mjs'
import { parseOptions } from '../shared/options.mjs'

const folder = fileURLToPath(new URL('../../test/cluster/', import.meta.url))
const tokens = fileURLToPath(new URL('../../test/conformance/tokens.csv', import.meta.url))
/** For how long nothing may change: kube-controller-manager waits for some seconds here and there, and Jobs gather what happens for one. */
const quietMs = { reference: 4000, own: 1300 }

const { values: options, positionals: names } = parseOptions({
  allowPositionals: true,
  options: { server: { type: 'string' }, token: { type: 'string', default: 'admin-token' }, record: { type: 'boolean' } }
})
if (options.record && !options.server) throw new Error('--record needs a cluster with kube-controller-manager: --server')

const scenarios = fs
  .readdirSync(path.join(folder, 'scenarios'))
  .map(file => path.basename(file, '.mjs'))
  .filter(name => names.length === 0 || names.includes(name))
const own = options.server ? undefined : await startOwnServer(tokens, '1', '*', ['--simulate'])
const client = new Client(options.server ?? own.url, { admin: { token: options.token } })

/** The places at which two values differ, with both. */
function differences(expected, actual, place = '') {
  if (isDeepStrictEqual(expected, actual)) return []
  const isOpen = value => value !== null && typeof value === 'object'
  if (!isOpen(expected) || !isOpen(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return [`${place}: ${JSON.stringify(expected)} became ${JSON.stringify(actual)}`]
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].flatMap(key => differences(expected[key], actual[key], `${place}/${key}`))
}

let steps = 0
let total = 0
try {
  for (const name of scenarios) {
    const { default: scenario, isSlow } = await import(pathToFileURL(path.join(folder, 'scenarios', `${name}.mjs`)))
    if (isSlow && names.length === 0) continue
    const file = path.join(folder, 'recordings', `${name}.json`)
    const playIn = (suffix, quiet) => play(scenario, client, `${name}-${process.pid}${suffix}`, quiet)
    if (options.record) {
      const states = await playIn('', quietMs.reference)
      fs.writeFileSync(file, `${JSON.stringify(states, null, 1)}\n`)
      console.log(`${name}: recorded ${Object.keys(states).length} steps`)
      continue
    }
    const recorded = JSON.parse(fs.readFileSync(file, 'utf8'))
    const differing = states =>
      Object.entries(states).flatMap(([step, state]) => {
        const found = differences(recorded[step], state)
        return found.length === 0 ? [] : [{ step, found }]
      })
    const quiet = options.server ? quietMs.reference : quietMs.own
    const states = await playIn('', quiet)
    // a machine that is busy with something else may be looked at too early
    const again = differing(states).length > 0 ? await playIn('-again', 3 * quiet) : states
    steps += Object.keys(states).length
    for (const { step, found } of differing(again)) {
      total++
      console.log(`${name}: ${step}`)
      for (const line of found.slice(0, 12)) console.log(`    ${line.slice(0, 400)}`)
    }
  }
  if (!options.record) console.log(`${steps} steps of ${scenarios.length} scenarios, ${total} differ`)
} finally {
  client.close()
  await own?.stop()
}
process.exitCode = total > 0 ? 1 : 0
