/** The span of a request (https://kubernetes.io/docs/concepts/cluster-administration/system-traces/). */
import type { RequestContext } from '../../apimachinery/request/context.js'
import { type Response, sentUrl } from '../../apimachinery/request/message.js'
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { inSpan } from '../../util/trace.js'
import type { Tracer } from './tracer.js'

/**
 * Groups whose members may name the trace to which their request's span belongs. Anybody else could make the server trace every
 * request.
 */
const trusted: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring'])

/**
 * The stage that begins a request's span. It stands below authentication, because the user decides whether the named trace is
 * believed.
 */
export function tracingStage(tracer: Tracer): Stage {
  return {
    name: 'tracing',
    why: 'records spans of the request and its parts, where --tracing-config-file asks for them',
    handle(context, next) {
      const { record, request } = context
      const span = tracer.startRequest({
        name: spanName(context),
        startedAt: record.receivedAt,
        parent: { traceparent: context.header('traceparent'), tracestate: context.header('tracestate') },
        isTrusted: record.requester?.groups.some(group => trusted.has(group)) ?? false,
        attributes: {
          'http.method': request.method,
          'http.target': sentUrl(request),
          'http.scheme': 'https',
          'http.user_agent': context.header('user-agent') ?? '',
          'net.host.name': context.header('host') ?? '',
          'net.sock.peer.addr': request.remoteAddress,
          'audit-id': record.auditId.slice(0, 64)
        }
      })
      if (!span) return next(context)
      const answered = (response: Response): Response => {
        span.set({ 'http.status_code': response.status })
        context.onEnd(() => span.end(response.status >= 500 ? `status ${response.status}` : undefined))
        return response
      }
      const failed = (error: unknown): never => {
        span.end(error)
        throw error
      }
      try {
        const response = inSpan(span, () => next(context))
        return response instanceof Promise ? response.then(answered, failed) : answered(response)
      } catch (error) {
        return failed(error)
      }
    }
  }
}

/**
 * The name of a request's span, such as `GET /api/v1/namespaces/{:namespace}/pods/{:name}`. With object names in it, each span
 * would have a name of its own.
 */
function spanName({ info, request }: RequestContext): string {
  return info?.isResourceRequest ? `${request.method} ${template(info)}` : request.method
}

function template({ group, version, namespace, resource, name, subresource }: RequestInfo): string {
  const parts = [group === '' ? '/api' : `/apis/${group}`, version]
  if (namespace !== '') parts.push('namespaces/{:namespace}')
  parts.push(resource)
  if (name !== '') parts.push('{:name}')
  if (subresource !== '') parts.push(subresource)
  return parts.join('/')
}
