/** The interval between bookmarks: about a minute, as in kube-apiserver. */
const periodMs = 60_000
/** The last bookmark comes this long before the watch ends, so that the client resumes from a recent version. */
const beforeEndMs = 2000

/** Returns the time of the next bookmark in a watch that ends at `deadline`; undefined after the last, or if it is too short. */
export function nextBookmark(now: number, deadline: number): number | undefined {
  const next = Math.min(now + periodMs, deadline - beforeEndMs)
  return next > now ? next : undefined
}
