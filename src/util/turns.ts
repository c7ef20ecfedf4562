/** How long one piece of a long job may hold the event loop, in milliseconds. */
const sliceMilliseconds = 3

/** True once the time of a slice that starts now is used up. */
export const startSlice = (): (() => boolean) => {
  const end = performance.now() + sliceMilliseconds
  return () => performance.now() >= end
}

/** So many bytes of history are read in one slice: whoever watches holds them until they are taken. */
export const sliceBytes = 512 * 1024

/** Lets everything else that waits for the event loop run first. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Short tasks of many, in the order in which they come: as many in one turn of the event loop as a slice has time for, so that
 * however many there are, everything else gets its turn.
 */
export class TurnQueue {
  #waiting: (() => void)[] = []
  #scheduled = false

  /** Runs the task in a later turn. It must not throw. */
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
    // what was added meanwhile comes after what was there before
    this.#waiting = [...tasks.slice(next), ...this.#waiting]
    this.#schedule()
  }
}
