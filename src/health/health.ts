/** Serves /healthz, /livez and /readyz with their single checks (https://kubernetes.io/docs/reference/using-api/health-checks/). */
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondText } from '../endpoints/respond.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'

export interface HealthCheck {
  /** "etcd", "poststarthook/start-system-namespaces-controller" */
  readonly name: string
  /** Rejects when unhealthy. The reason goes to the log, never to the client. */
  check(): void | Promise<void>
}

export interface HealthOptions {
  readonly livez: readonly HealthCheck[]
  readonly readyz: readonly HealthCheck[]
  readonly healthz: readonly HealthCheck[]
  log(message: string): void
}

export function healthPaths(options: HealthOptions): PathHandler[] {
  return (['healthz', 'livez', 'readyz'] as const).flatMap(name => {
    const checks = options[name]
    const all = (context: RequestContext) => checkAll(name, checks, context, options.log)
    const one = checks.map(check => ({
      path: `/${name}/${check.name}`,
      handle: () => checkOne(check, options.log)
    }))
    return [{ path: `/${name}`, handle: all }, ...one]
  })
}

async function run({ name, check }: HealthCheck, log: HealthOptions['log']): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    log(`health check ${name} failed: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

const answer = (text: string, ok: boolean): Response => respondText(text, ok ? 200 : 500)

async function checkOne(check: HealthCheck, log: HealthOptions['log']): Promise<Response> {
  const ok = await run(check, log)
  return answer(ok ? 'ok' : `internal server error: health check ${JSON.stringify(check.name)} failed\n`, ok)
}

async function checkAll(
  name: string,
  checks: readonly HealthCheck[],
  context: RequestContext,
  log: HealthOptions['log']
): Promise<Response> {
  const { query } = context
  const excluded = new Set(
    query
      .getAll('exclude')
      .flatMap(e => e.split(','))
      .filter(e => e !== '')
  )
  const lines: string[] = []
  const failed: string[] = []
  for (const check of checks) {
    if (excluded.delete(check.name)) lines.push(`[+]${check.name} excluded: ok`)
    else if (await run(check, log)) lines.push(`[+]${check.name} ok`)
    else {
      failed.push(check.name)
      lines.push(`[-]${check.name} failed: reason withheld`)
    }
  }
  if (excluded.size > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...excluded].map(e => JSON.stringify(e)).join(', ')}`
    )
  if (failed.length > 0) return answer(`${lines.join('\n')}\n${name} check failed\n`, false)
  return answer(query.has('verbose') ? `${lines.join('\n')}\n${name} check passed\n` : 'ok', true)
}
