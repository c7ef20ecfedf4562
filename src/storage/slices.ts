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
