import { useEffect } from 'preact/hooks'
import { sleep } from '../live/sleep.js'

/**
 * Does something again and again while the view is there and the page is in sight, `period` milliseconds after it was done. `onError` gets what failed.
 * `begins` later: after a period.
 */
export function usePoll(
  work: (signal: AbortSignal) => Promise<void>,
  period: number,
  onError: (error: unknown) => void,
  begins: 'now' | 'later' = 'now'
): void {
  useEffect(() => {
    const stop = new AbortController()
    const run = async () => {
      if (begins === 'later') await sleep(period, stop.signal)
      while (!stop.signal.aborted) {
        if (!document.hidden) {
          await work(stop.signal).catch(error => {
            if (!stop.signal.aborted) onError(error)
          })
        }
        await sleep(period, stop.signal)
      }
    }
    void run()
    return () => stop.abort()
  }, [])
}
