/** Counts the turns that other work gets while a long job runs, so that tests need not measure times. */
export async function turnsDuring(job: () => unknown): Promise<number> {
  let turns = 0
  let done = false
  const other = () => {
    turns++
    if (!done) setImmediate(other)
  }
  setImmediate(other)
  await job()
  done = true
  return turns
}
