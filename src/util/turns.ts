/** Milliseconds for which one step of a long job may hold the event loop. */
const sliceMilliseconds = 3

/** Starts a slice. The returned function tells whether the time of the slice is used up. */
export const startSlice = (): (() => boolean) => {
  const end = performance.now() + sliceMilliseconds
  return () => performance.now() >= end
}

/** Bytes of history that one slice reads: a watcher holds them in memory until its client takes them. */
export const sliceBytes = 512 * 1024

/** Lets everything else that waits for the event loop run first. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Returns a function to call between the steps of a long job: it gives other work a turn when the present slice is used up. */
export function takingTurns(): () => Promise<void> | undefined {
  let sliceIsOver = startSlice()
  return () => {
    if (!sliceIsOver()) return undefined
    return nextTurn().then(() => {
      sliceIsOver = startSlice()
    })
  }
}

/** A long calculation. Where it yields, others may have a turn. */
export type Steps<T> = Generator<undefined, T, undefined>

/** A calculation of a single step. */
export function* oneStep<T>(calculate: () => T): Steps<T> {
  yield
  return calculate()
}

/** Makes a calculation in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Makes a calculation, and gives other work a turn between its steps when the present slice is used up. */
export async function stepByStep<T>(steps: Steps<T>): Promise<T> {
  const turn = takingTurns()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const other = turn()
    if (other) await other
  }
}

/**
 * Runs short tasks in the order in which they arrive: as many per turn of the event loop as a slice has time for, so that other
 * events are not starved.
 */
export class TurnQueue {
  #waiting: (() => void)[] = []
  #scheduled = false

  /** Runs the task in a later turn. The task must not throw. */
  add(task: () => void): void {
    this.#waiting.push(task)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    this.#scheduled = false
    const tasks = this.#waiting
    this.#waiting = []
    const sliceIsOver = startSlice()
    let next = 0
    while (next < tasks.length) {
      tasks[next++]!()
      if (sliceIsOver()) break
    }
    if (next === tasks.length) return
    // tasks added meanwhile run after the remaining ones
    this.#waiting = [...tasks.slice(next), ...this.#waiting]
    this.#schedule()
  }
}
