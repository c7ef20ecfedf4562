// A reporter for Node's test runner: names the test files that took longest, so that a slow one is seen when it is written.
import { relative } from 'node:path'

/** What a file may take before it is named; and how many are named. */
const unnoticedMs = 5000
const count = 10

export default async function* slowest(events) {
  const took = new Map()
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0 || !data.file) continue
    // tests of one file run one after the other
    took.set(data.file, (took.get(data.file) ?? 0) + data.details.duration_ms)
  }
  const slow = [...took].filter(([, milliseconds]) => milliseconds > unnoticedMs).sort(([, a], [, b]) => b - a)
  if (slow.length === 0) return
  yield `\nslow files:\n`
  for (const [file, milliseconds] of slow.slice(0, count))
    yield `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${relative(process.cwd(), file)}\n`
}
