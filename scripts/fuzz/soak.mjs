// Writes what a year of Leases, Events and Pods would, with a clock that runs faster: size, memory and the time of a start stay as they are.
//   npm run soak -- [--churn=5000]     compactions, of which a year has 105,120
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soak } from '../../build/testkit/e2e/soak.js'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({ options: { churn: { type: 'number', default: 5000 } } })
const directory = mkdtempSync(join(tmpdir(), 'binnacle-soak-'))
const show = ({ disk, heap, startMs, objects }) =>
  `${(disk / 1e6).toFixed(1)} MB on disk, heap ${(heap / 1e6).toFixed(1)} MB, start ${Math.round(startMs)} ms, ${objects} objects`
try {
  const { early, late } = await soak({
    directory,
    churn: Number(values.churn),
    onMeasured: (round, measured) => console.log(`after ${round} compactions: ${show(measured)}`)
  })
  // one start may take several times as long as another on a busy machine
  const factors = { disk: 2, heap: 2, startMs: 10 }
  const grown = Object.keys(factors).filter(name => late[name] > factors[name] * early[name])
  if (grown.length > 0) {
    console.error(`has grown: ${grown.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
