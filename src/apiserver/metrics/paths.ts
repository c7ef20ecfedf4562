import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes, respondText } from '../endpoints/respond.js'
import type { LazyMetrics } from './lazy-metrics.js'

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'
/** When the process started: by this, clients notice that counters have begun anew. */
const processStart = String(Math.round(Date.now() / 1000 - process.uptime()))

export interface MetricsPaths {
  readonly metrics: Metrics
  /** Metrics that prom-client keeps. */
  readonly library: LazyMetrics
  /** Metrics that are kept as text. */
  readonly more: { text(disabled: ReadonlySet<string>): string }
  /** The metrics of /metrics/slis: health checks only. */
  readonly slis: Metrics
}

export function metricsPaths({ metrics, library, more, slis }: MetricsPaths): PathHandler[] {
  return [
    {
      path: '/metrics',
      handle: context =>
        answered(context, metrics, async () => (await library.text()) + more.text(metrics.disabled) + (await metrics.text()))
    },
    { path: '/metrics/slis', handle: context => answered(context, slis, () => slis.text()) }
  ]
}

async function answered(context: RequestContext, metrics: Metrics, text: () => Promise<string>): Promise<Response> {
  if (context.request.method === 'DELETE') {
    metrics.reset()
    const response = respondText('metrics reset\n', 200)
    response.headers['x-content-type-options'] = 'nosniff'
    return response
  }
  const response = respondBytes(200, contentType, Buffer.from(await text()))
  response.headers['process-start-time-unix'] = processStart
  return response
}
