import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes, respondText } from '../endpoints/respond.js'
import { metricsForm } from './form.js'
import type { LazyMetrics } from './lazy-metrics.js'
import { protobufForm } from './protobuf-form.js'

/** For this type the answer is text with the buckets of native histograms (`distributionLines`): processes of one server ask each other so. */
export const seriesType = 'application/vnd.binnacle.series'

/** When the process started: by this, clients notice that counters have begun anew. */
const processStart = String(Math.round(Date.now() / 1000 - process.uptime()))

export interface MetricsPaths {
  readonly metrics: Metrics
  /** Metrics that prom-client keeps. */
  readonly library: LazyMetrics
  /** Metrics that are kept as text. */
  readonly more: { text(disabled: ReadonlySet<string>, withNative: boolean): string }
  /** The metrics of /metrics/slis: health checks only. */
  readonly slis: Metrics
  /** The feature gate NativeHistograms. */
  readonly hasNative: boolean
  /** Asks the other processes of this server the same, and returns their text joined with that of this process. */
  readonly joined?: ((context: RequestContext, own: string, withNative: boolean) => Promise<string>) | undefined
}

export function metricsPaths(parts: MetricsPaths): PathHandler[] {
  const { metrics, library, more, slis } = parts
  return [
    {
      path: '/metrics',
      handle: context =>
        answered(context, parts, metrics, async withNative => {
          const text = await metrics.text(withNative)
          return (await library.text()) + more.text(metrics.disabled, withNative) + text
        })
    },
    { path: '/metrics/slis', handle: context => answered(context, parts, slis, withNative => slis.text(withNative)) }
  ]
}

async function answered(
  context: RequestContext,
  { hasNative, joined = async (_, own) => own }: MetricsPaths,
  metrics: Metrics,
  textOf: (withNative: boolean) => Promise<string>
): Promise<Response> {
  if (context.request.method === 'DELETE') {
    metrics.reset()
    await joined(context, '', false)
    const response = respondText('metrics reset\n', 200)
    response.headers['x-content-type-options'] = 'nosniff'
    return response
  }
  const accept = context.header('accept') ?? ''
  const { isProtobuf, contentType } = metricsForm(accept)
  const withNative = accept === seriesType || (isProtobuf && hasNative)
  const text = await joined(context, await textOf(withNative), withNative)
  const response = respondBytes(200, contentType, isProtobuf ? await protobufForm(text) : Buffer.from(text))
  response.headers['process-start-time-unix'] = processStart
  return response
}
