/** Keeps the process alive while somebody waits. */
import { setInterval } from 'node:timers'

let waiting = 0
/** A single timer, because one for each request would cost as much as a small request. */
let hold: NodeJS.Timeout | undefined

/**
 * Keeps the process from ending before `work` has. The server's own timers do not, and what waits for one of them may be all that
 * there is.
 */
export async function holdingProcess<T>(work: Promise<T>): Promise<T> {
  hold ??= setInterval(() => {}, 2 ** 30).unref()
  if (waiting++ === 0) hold.ref()
  try {
    return await work
  } finally {
    if (--waiting === 0) hold.unref()
  }
}
