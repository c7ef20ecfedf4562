/**
 * Keeps the process from ending while somebody waits. The server's own timers do not, and what waits for one of them may be all that
 * there is.
 */
export async function holdingProcess<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, 2 ** 30)
  try {
    return await work
  } finally {
    clearInterval(hold)
  }
}
