/** Paths whose answers are about the whole server, and not about the process that was asked. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import { explainPath } from '../../apimachinery/request/explain-path.js'
import { historyPath } from '../../apimachinery/request/history-path.js'
import type { InjectedRequest } from '../../apimachinery/request/injected.js'
import type { Handler, Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { errorsStage } from '../../apiserver/chain/errors.js'
import { createHandler } from '../../apiserver/chain/handler.js'
import { requestInfoStage } from '../../apiserver/chain/request-info.js'
import { createDispatch, type PathHandler } from '../../apiserver/endpoints/dispatch.js'
import { seriesType } from '../../apiserver/metrics/paths.js'
import type { Logger } from '../../util/logger.js'
import { systemRandomness } from '../../util/randomness.js'
import type { Crew } from './crew.js'
import { mergedMetrics } from './merged-metrics.js'
import type { Primary } from './primary.js'

/** The most bytes of a request for such a path; paths that take less refuse it themselves. */
const maxBody = 3 * 1024 * 1024

const ofAll =
  /^\/(?:(?:healthz|livez|readyz)(?:\/.*)?|metrics(?:\/slis)?|statusz|debug\/flags\/v|debug\/api_priority_and_fairness\/.*)$/

/** What the first process keeps: history, and the records of requests that explanations are about. */
const keptByFirst: ReadonlySet<string> = new Set([historyPath, explainPath])

/** The paths that set something in all processes. */
const set = new Set(['/debug/flags/v'])

/** Answers requests of other processes, which have already authenticated and authorized them. */
export function pathsHandler(paths: readonly PathHandler[], now: () => number, log: Logger): Handler {
  const handle = createDispatch({ backends: [], paths, store: { currentRevision: () => 0 } })
  const stages = [errorsStage(log), requestInfoStage, trustedUser, { name: 'dispatch', why: 'answers for a path', handle }]
  return createHandler(stages, { now, uuid: () => systemRandomness.uuid() })
}

const trustedUser: Stage = {
  name: 'user',
  why: 'takes the user whom the other process has authenticated',
  handle(context, next) {
    const { trustedUser } = context.request
    if (trustedUser) context.user = context.record.requester = trustedUser
    return next(context)
  }
}

const asSent = async (context: RequestContext): Promise<InjectedRequest> => {
  const { request, user, record } = context
  const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await context.readBody(maxBody)
  const forwarded = [context.header('x-forwarded-for'), request.remoteAddress].filter(Boolean).join(', ')
  const headers: Record<string, string> = { 'audit-id': record.auditId, ...(forwarded && { 'x-forwarded-for': forwarded }) }
  for (const name of ['accept', 'content-type', 'user-agent']) {
    const value = context.header(name)
    if (value) headers[name] = value
  }
  return { method: request.method, url: request.url, headers, user, ...(body?.length ? { body } : {}) }
}

/** The paths in a worker: it asks the first process. */
export const askedOfPrimary = (paths: readonly PathHandler[], primary: Primary): PathHandler[] =>
  paths.map(handler =>
    ofAll.test(handler.path) || keptByFirst.has(handler.path)
      ? { ...handler, handle: async context => passedOn(await primary.path(await asSent(context))) }
      : handler
  )

const passedOn = ({
  status,
  headers,
  body
}: {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  body: Buffer
}): Response => {
  const { 'audit-id': _, 'cache-control': __, ...own } = headers
  return { status, headers: own, body: Buffer.from(body) }
}

/** The paths in the first process: what some of them set is set in the workers, too. */
export const withWorkers = (paths: readonly PathHandler[], crew: Crew): PathHandler[] =>
  paths.map(handler => {
    if (!set.has(handler.path)) return handler
    return {
      path: handler.path,
      async handle(context) {
        const others = crew.askAll(await asSent(context))
        const own = await handler.handle(context)
        await others
        return own
      }
    }
  })

/** Asks the workers what a request for metrics asks, and joins what they answer with the text of this process. */
export const joinedMetrics =
  (crew: Crew) =>
  async (context: RequestContext, own: string, withNative: boolean): Promise<string> => {
    const accept = withNative ? seriesType : 'text/plain'
    const answers = await crew.askAll({ ...(await asSent(context)), headers: { accept } })
    const texts = answers.filter(({ status }) => status === 200).map(({ body }) => Buffer.from(body).toString())
    return mergedMetrics([own, ...texts])
  }
