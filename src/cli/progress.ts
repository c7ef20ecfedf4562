/** Shows on standard error how far work has come, and how long the rest will take. */
import type { Progress } from '../util/progress.js'

export interface ProgressOutput {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

interface Needs {
  readonly output: ProgressOutput
  /** Whether progress is shown; only on a terminal when undefined. */
  readonly isWanted: boolean | undefined
  /** Milliseconds, from any beginning. */
  readonly now: () => number
}

export interface ProgressDisplay {
  /** Begins a step of the work. `unit` is what is counted. */
  step(name: string, unit: 'bytes' | 'keys'): Progress
  /** Leaves the line that it has written; what follows begins a new one. */
  end(): void
}

/** Milliseconds between two states of a line on a terminal, and between two lines elsewhere, such as in a log. */
const onTerminal = 200
const elsewhere = 5000
/** Before that, an estimate would jump. */
const firstEstimateMs = 2000

export function progressDisplay({ output, isWanted, now }: Needs): ProgressDisplay {
  const isTerminal = output.isTTY === true
  const isShown = isWanted ?? isTerminal
  let hasLine = false
  const end = () => {
    if (hasLine) output.write('\n')
    hasLine = false
  }
  return {
    end,
    step(name, unit) {
      end()
      const from = now()
      let last = isTerminal ? Number.NEGATIVE_INFINITY : from
      return (done, of) => {
        const time = now()
        if (!isShown || time - last < (isTerminal ? onTerminal : elsewhere)) return
        last = time
        const line = `${name}: ${state(done, of, unit)}${timeLeft(done, of, time - from)}`
        // a shorter line does not cover a longer one
        output.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
        hasLine = isTerminal
      }
    }
  }
}

function state(done: number, of: number, unit: 'bytes' | 'keys'): string {
  const share = of > 0 ? `${Math.min(100, Math.floor((done / of) * 100))} %` : ''
  if (unit === 'keys') return `${share} (${done} of ${of} keys)`
  return `${share} (${megabytes(done)} of ${megabytes(of)} MB)`
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

function timeLeft(done: number, of: number, spent: number): string {
  if (spent < firstEstimateMs || done <= 0 || done >= of) return ''
  const seconds = Math.ceil((spent * (of / done - 1)) / 1000)
  if (seconds < 60) return `, ${seconds} s left`
  return seconds < 3600 ? `, ${Math.ceil(seconds / 60)} min left` : `, ${(seconds / 3600).toFixed(1)} h left`
}
