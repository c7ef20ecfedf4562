// Sends hostile bytes to the two HTTP engines, and compares what they understand with a strict reading of the same bytes. Build first.
//   npm run hostile -- bytes [--from=1] [--seeds=200000]
import { http1Problem, http2Problem } from '../../../build/apiserver/http/testing/hostile-run.js'
import { parseOptions } from '../../shared/options.mjs'

const { values } = parseOptions({
  allowPositionals: true,
  options: { from: { type: 'number', default: 1 }, seeds: { type: 'number', default: 200_000 } }
})
const { from } = values
const end = from + values.seeds
const problems = []
for (let seed = from; seed < end && problems.length < 10; seed++) {
  for (const problemOf of [http1Problem, http2Problem]) {
    const problem = await problemOf(seed)
    if (problem) problems.push(problem)
  }
  if (seed % 10_000 === 0) console.log(`up to seed ${seed}: ${problems.length} problems`)
}
for (const problem of problems) console.log(problem)
console.log(`${end - from} seeds, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
