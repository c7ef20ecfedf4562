/** Logs requests as kube-apiserver does: every request at verbosity 3, and the steps of slow ones at verbosity 2. */
import { randomInt } from 'node:crypto'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { isLongRunning } from '../../apimachinery/request/deadline.js'
import { baseOf, type Response, sentUrl } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { formatDuration } from '../../util/go-duration.js'
import { goQuote } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import { verbOf } from '../metrics/request-series.js'

/** Requests that take more milliseconds than this have their steps logged. */
const slowMs = 500
const maxAuditId = 64

/** Returns undefined for a log without verbosity, so that requests do not pay for lines that nobody wants. */
export function requestLogStage(log: Logger, now: () => number): Stage | undefined {
  if (!log.v) return undefined
  return {
    name: 'request log',
    why: 'logs every request at verbosity 3, and the parts of slow ones at 2',
    handle(context, next) {
      const slow = log.v?.(2)
      if (!slow) return next(context)
      const requests = log.v?.(3)
      const answered = (response: Response): Response => {
        const waited = now() - context.record.receivedAt
        if (waited > slowMs && !isLongRunning(context)) slow.info(traceOf(context, waited))
        if (requests) context.onEnd(() => requests.info('HTTP', fieldsOf(context, response, now())))
        return response
      }
      const response = next(context)
      return response instanceof Promise ? response.then(answered) : answered(response)
    }
  }
}

function fieldsOf(context: RequestContext, response: Response, time: number) {
  const { record, request } = context
  return {
    verb: verbOfRequest(context),
    URI: sentUrl(request),
    latency: formatDuration(time - record.receivedAt),
    userAgent: context.header('user-agent') ?? '',
    'audit-ID': shortened(record.auditId),
    srcIP: request.remoteAddress,
    user: record.requester?.name,
    ...(response.upgrade ? { hijacked: true } : { resp: response.status })
  }
}

/** A request whose path cannot be read has no RequestInfo. */
const verbOfRequest = (context: RequestContext) =>
  context.info ? verbOf(context.info, context.header('content-type')) : context.request.method

const shortened = (auditId: string) => (auditId.length > maxAuditId ? `${auditId.slice(0, maxAuditId)}...` : auditId)

const operations: Readonly<Record<string, string>> = {
  GET: 'Get',
  LIST: 'List',
  POST: 'Create',
  PUT: 'Update',
  PATCH: 'Patch',
  APPLY: 'Patch',
  DELETE: 'Delete'
}

/** Formats which step took how long, in the form of Go's k8s.io/utils/trace. */
function traceOf(context: RequestContext, milliseconds: number): string {
  const { info, record, request } = context
  const verb = verbOfRequest(context)
  const facts = {
    accept: context.header('accept') ?? '',
    'audit-id': shortened(record.auditId),
    client: request.remoteAddress,
    'api-group': info?.group ?? '',
    'api-version': info?.version ?? '',
    name: info?.name ?? '',
    subresource: info?.subresource ?? '',
    namespace: info?.namespace ?? '',
    resource: info?.resource ?? '',
    url: baseOf(request) + context.path,
    'user-agent': context.header('user-agent') ?? '',
    verb
  }
  const id = `Trace[${randomInt(2 ** 31)}]`
  const about = Object.entries(facts).map(([key, value]) => `${key}:${value}`)
  const began = `${new Date(record.receivedAt).toISOString().slice(0, 23)}`
  const total = Math.floor(milliseconds)
  const parts = [...record.milliseconds].map(([part, spent]) => `\n${id}: ---${goQuote(part)} ${Math.round(spent)}ms`)
  const duration = formatDuration(milliseconds)
  return `${id}: ${goQuote(operations[verb] ?? verb)} ${about.join(',')} (${began}) (total time: ${total}ms):${parts.join('')}\n${id}: [${duration}] [${duration}] END`
}
