/** What a request costs: its time, the longest time for which nobody else had a turn, and memory. */
import fs from 'node:fs'

/** The most memory that the process had since the last call of `forgetPeak`, in MB; Linux alone tells it. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  } catch {
    return process.memoryUsage().rss / 2 ** 20
  }
}

function forgetPeak() {
  try {
    fs.writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // the growth is measured from the highest peak so far
  }
}

export async function measured(ask) {
  forgetPeak()
  const before = peak()
  let longest = 0
  let last = performance.now()
  let done = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  const start = performance.now()
  const { status, body } = await ask()
  const total = performance.now() - start
  await new Promise(setImmediate)
  done = true
  await new Promise(setImmediate)
  return { total, longest, memory: peak() - before, status, length: body.length }
}

export const shown = ({ total, longest, memory, status, length }) =>
  `blocks ${longest.toFixed()} of ${total.toFixed()} ms, ${memory.toFixed()} MB more, ${status} with ${length} bytes`
