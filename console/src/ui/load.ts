import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: unknown
  reload(): void
}

/** What `load` resolves with, asked again when one of `dependencies` changes; the request before is aborted. The last value stays until the next one is there. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const value: Signal<T | undefined> = useSignal(undefined)
  const error = useSignal<unknown>(undefined)
  const round = useSignal(0)
  useEffect(() => {
    const stop = new AbortController()
    load(stop.signal).then(
      result => {
        if (stop.signal.aborted) return
        value.value = result
        error.value = undefined
      },
      reason => {
        if (!stop.signal.aborted) error.value = reason
      }
    )
    return () => stop.abort()
  }, [...dependencies, round.value])
  return { value: value.value, error: error.value, reload: () => round.value++ }
}
