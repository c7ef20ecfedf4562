/** About once a minute. */
const periodMs = 60_000
/** The last one comes so long before a watch ends, so that its client goes on from close to the present. */
const beforeEndMs = 2000

/** When a watch that ends at `deadline` is sent its next bookmark; undefined when it has had its last one, or is too short for any. */
export function nextBookmark(now: number, deadline: number): number | undefined {
  const next = Math.min(now + periodMs, deadline - beforeEndMs)
  return next > now ? next : undefined
}
