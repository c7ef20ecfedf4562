/** Serves /healthz, /livez and /readyz with their single checks (https://kubernetes.io/docs/reference/using-api/health-checks/). */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { goQuote } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondText } from '../endpoints/respond.js'
import type { HealthMetrics } from './health-metrics.js'

export interface HealthCheck {
  /** The name in the path and in the answer: "etcd", "poststarthook/start-system-namespaces-controller". */
  readonly name: string
  /**
   * Throws, or rejects, when unhealthy. Clients see the reason only in the answer of the single check, which needs a permission
   * of its own.
   */
  check(): void | Promise<void>
}

export const healthKinds = ['healthz', 'livez', 'readyz'] as const
export type HealthKind = (typeof healthKinds)[number]

export interface HealthOptions {
  readonly checks: Readonly<Record<HealthKind, readonly HealthCheck[]>>
  readonly metrics: HealthMetrics
  readonly log: Logger
}

export function healthPaths(options: HealthOptions): PathHandler[] {
  return healthKinds.flatMap(kind => [
    { path: `/${kind}`, handle: (context: RequestContext) => checkAll(kind, options, context) },
    ...options.checks[kind].map(check => ({ path: `/${kind}/${check.name}`, handle: () => checkOne(check) }))
  ])
}

/** Returns why the check fails; undefined when it passes, at once where it can. */
function failureOf({ check }: HealthCheck): string | undefined | Promise<string | undefined> {
  try {
    return check()?.then(() => undefined, messageOf)
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function checkOne(check: HealthCheck): Promise<Response> {
  const why = await failureOf(check)
  if (why !== undefined) return respondText(`internal server error: ${why}\n`, 500)
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from('ok') }
}

async function checkAll(kind: HealthKind, { checks, metrics, log }: HealthOptions, { query }: RequestContext): Promise<Response> {
  const excluded = new Set(query.getAll('exclude'))
  const unknown = new Set(excluded)
  const isVerbose = query.has('verbose')
  const lines: string[] = []
  const reasons: string[] = []
  for (const check of checks[kind]) {
    const { name } = check
    if (excluded.has(name)) {
      unknown.delete(name)
      lines.push(`[+]${name} excluded: ok\n`)
      continue
    }
    const failure = failureOf(check)
    const why = failure instanceof Promise ? await failure : failure
    metrics.checked(name, kind, why === undefined)
    if (why !== undefined) reasons.push(`[-]${name} failed: ${why}`)
    lines.push(why === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`)
  }
  if (unknown.size > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...unknown]
        .sort()
        .map(name => goQuote(name))
        .join(',')}\n`
    )
  if (reasons.length > 0) {
    const names = reasons.map(reason => reason.slice('[-]'.length, reason.indexOf(' failed: ')))
    log.v?.(2)?.info(`${names.join(',')} check failed: ${kind}\n${reasons.join('\n')}\n`)
    return respondText(`${lines.join('')}${kind} check failed\n`, 500)
  }
  return respondText(isVerbose ? `${lines.join('')}${kind} check passed\n` : 'ok')
}
