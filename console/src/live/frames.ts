/** Returns a function that runs `work` once in the next frame, however often it is called until then. */
export function oncePerFrame(work: () => void): { (): void; cancel(): void } {
  let planned = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    cancel()
    work()
  }
  const cancel = () => {
    cancelAnimationFrame(planned)
    clearTimeout(timer)
    planned = 0
    timer = undefined
  }
  const plan = () => {
    if (timer !== undefined) return
    planned = requestAnimationFrame(run)
    // a page in the background has no frames
    timer = setTimeout(run, 250)
  }
  return Object.assign(plan, { cancel })
}
