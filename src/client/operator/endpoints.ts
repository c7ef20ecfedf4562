/** The operator's own HTTP endpoints: /healthz and /readyz for kubelets, /metrics for Prometheus. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '../../util/instruments/metrics.js'
import { UserError } from '../../util/user-error.js'

/**
 * A check of the operator's health: throws or rejects while something is wrong.
 *
 * @example
 * const database: HealthCheck = async () => void (await pool.query('select 1'))
 */
export type HealthCheck = () => void | Promise<void>

export type HealthChecks = Readonly<Record<string, HealthCheck>>

interface Answer {
  readonly status: number
  readonly type?: string
  readonly body: string
}

/** A server on a port of its own. */
export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Listens on a port; 0 for any that is free. Rejects with a UserError when it cannot. */
export function listen(server: Server, { port, host }: { port: number; host: string }, scheme = 'http'): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(
        new UserError(`cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code ?? error.message}`, {
          cause: error
        })
      )
    )
    server.listen(port, host, () => {
      const { port: chosen, family } = server.address() as AddressInfo
      resolve({
        url: `${scheme}://${family === 'IPv6' ? `[${host}]` : host}:${chosen}`,
        close: () =>
          new Promise(done => {
            server.close(() => done())
            server.closeAllConnections()
          })
      })
    })
  })
}

/** What a client may send before it is cut off: nobody sends more than a line. */
const limits = { maxHeaderSize: 8192, requestTimeout: 5000, headersTimeout: 5000 }

/** The URL of a request; undefined for a path that is none. Whoever reaches the port chooses it. */
export function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost') : undefined
}

export function serve(answer: (path: string, query: URLSearchParams) => Promise<Answer | undefined>): Server {
  return createServer(limits, async (request, response) => {
    request.resume()
    const url = urlOf(request)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const found = !isRead
      ? { status: 405, body: 'method not allowed\n' }
      : url && (await answer(url.pathname, url.searchParams).catch(failed))
    const { status, type = 'text/plain; charset=utf-8', body } = found ?? { status: 404, body: 'not found\n' }
    response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(body)
  })
}

const failed = (): Answer => ({ status: 500, body: 'internal error\n' })

export const metricsServer = (metrics: Metrics): Server =>
  serve(async path =>
    path === '/metrics'
      ? { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await metrics.text() }
      : undefined
  )

/** Serves `/healthz` and `/readyz`, and each check as `/healthz/NAME`; `?verbose` shows all of them, `?exclude=NAME` leaves one out. */
export function healthServer(checks: Readonly<Record<'healthz' | 'readyz', HealthChecks>>): Server {
  return serve(async (path, query) => {
    const [, group = '', name] = /^\/([^/]*)(?:\/([^/]+))?$/.exec(path) ?? []
    if (group !== 'healthz' && group !== 'readyz') return undefined
    const named = new Map<string, HealthCheck>([['ping', () => {}], ...Object.entries(checks[group])])
    if (name !== undefined) {
      const check = [...named].find(([each]) => encodeURIComponent(each) === name)
      return check && (await outcomeOf(group, new Map([check]), false))
    }
    for (const excluded of query.getAll('exclude')) named.delete(excluded)
    return outcomeOf(group, named, query.has('verbose'))
  })
}

async function outcomeOf(group: string, checks: ReadonlyMap<string, HealthCheck>, isVerbose: boolean): Promise<Answer> {
  const lines: string[] = []
  let fails = false
  for (const [name, check] of checks)
    try {
      await check()
      lines.push(`[+]${name} ok`)
    } catch (error) {
      fails = true
      lines.push(`[-]${name} failed: ${error instanceof Error ? error.message : error}`)
    }
  if (fails) return { status: 500, body: `${lines.join('\n')}\n${group} check failed\n` }
  return { status: 200, body: isVerbose ? `${lines.join('\n')}\n${group} check passed\n` : 'ok' }
}
