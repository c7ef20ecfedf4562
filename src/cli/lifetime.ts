/** What a command does that runs until a signal, in its order. */
interface Steps {
  start(): Promise<void>
  /** Tells the world of what has started. It is not called when a signal came during the start. */
  announce(): Promise<void>
  /** Ends what the start and the announcement have made. It is not called before either of them is done. */
  stop(): Promise<void>
}

export interface Lifetime {
  /** Resolves when the announcement is made. Rejects with what the start or the announcement rejects with. */
  readonly running: Promise<void>
  isStopping(): boolean
  /** Rejects only if `Steps.stop` does. A failed start or announcement is `running`'s to report. */
  stop(): Promise<void>
}

/** Starts at once. A signal may come at any moment: the steps never overlap, whenever `stop` is called. */
export function lifetime({ start, announce, stop }: Steps): Lifetime {
  let isStopping = false
  let stopped: Promise<void> | undefined
  const started = start()
  const announced = started.then(async () => {
    if (!isStopping) await announce()
  })
  const run = async (): Promise<void> => {
    await started
    try {
      await announced
    } catch (error) {
      // what has started is of no use unannounced
      await stopOnce()
      throw error
    }
  }
  const stopAfter = async (): Promise<void> => {
    await announced.catch(() => {})
    await stop()
  }
  // `running` reports it
  announced.catch(() => {})
  return { running: run(), isStopping: () => isStopping, stop: stopOnce }

  function stopOnce(): Promise<void> {
    isStopping = true
    return (stopped ??= stopAfter())
  }
}
