import type { RequestSummary } from '../../api/recorded.js'

export interface RequestGroup {
  readonly name: string
  readonly count: number
  readonly errors: number
  /** Milliseconds. */
  readonly mean: number
  readonly slowest: number
}

/** Sums requests up by a text of theirs; those that took most of the server's time first. Watches have no latency. */
export function groupsOf(requests: readonly RequestSummary[], by: (request: RequestSummary) => string): RequestGroup[] {
  const groups = new Map<string, { count: number; errors: number; timed: number; total: number; slowest: number }>()
  for (const request of requests) {
    const name = by(request)
    let group = groups.get(name)
    if (!group) groups.set(name, (group = { count: 0, errors: 0, timed: 0, total: 0, slowest: 0 }))
    group.count++
    if (request.status >= 400) group.errors++
    if (isLong(request)) continue
    group.timed++
    group.total += request.milliseconds
    group.slowest = Math.max(group.slowest, request.milliseconds)
  }
  return [...groups]
    .sort(([, a], [, b]) => b.total - a.total)
    .map(([name, { count, errors, timed, total, slowest }]) => ({
      name,
      count,
      errors,
      mean: timed > 0 ? total / timed : 0,
      slowest
    }))
}

/** Watches, and connections that stay. */
export const isLong = ({ verb }: RequestSummary): boolean => verb === 'watch' || verb === 'connect'
