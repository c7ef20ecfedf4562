/** Makes spans with OpenTelemetry and sends them by OTLP over gRPC. */
import { createRequire } from 'node:module'
import type { Attributes as OtelAttributes, Span as OtelSpan, Tracer as OtelTracer } from '@opentelemetry/api'
import type { Connect } from '../../transport/egress/egress-selector.js'
import { openRelay } from '../../transport/egress/relay.js'
import type { Attributes, Span } from '../../util/trace.js'
import { UserError } from '../../util/user-error.js'
import type { TracingConfiguration } from './configuration.js'

export interface RequestSpan {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly parent: { readonly traceparent: string | undefined; readonly tracestate: string | undefined }
  /** Whether the span belongs to the trace of `parent`. Otherwise it begins a trace of its own, with a link to that one. */
  readonly isTrusted: boolean
  readonly attributes: Attributes
}

export interface Tracer {
  /** Begins the span of a request; undefined when the request is not sampled. */
  startRequest(request: RequestSpan): Span | undefined
  /** Sends the spans that have not been sent yet. */
  stop(): Promise<void>
}

/** Where kube-apiserver sends spans by default. */
const defaultEndpoint = 'localhost:4317'
/** Milliseconds that the last spans have to reach their receiver when the server stops. */
const lastSpansMs = 5000

/** Loads OpenTelemetry's packages only when they are needed: they load slowly, take much space, and need not be installed. */
async function load() {
  try {
    const [api, core, base, resources, otlp] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-grpc')
    ])
    // the exporter takes credentials of its own gRPC only
    const exporter = createRequire(import.meta.url).resolve('@opentelemetry/exporter-trace-otlp-grpc')
    const { credentials } = createRequire(exporter)('@grpc/grpc-js') as typeof import('@grpc/grpc-js')
    return { ...api, ...core, ...base, ...resources, ...otlp, credentials }
  } catch (error) {
    // the bundle has a require for each import
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as { code?: string }).code ?? '')) throw error
    const packages = ['api', 'core', 'sdk-trace-base', 'resources', 'exporter-trace-otlp-grpc'].map(
      name => `@opentelemetry/${name}`
    )
    throw new UserError(`--tracing-config-file needs packages that are not installed: npm install ${packages.join(' ')}`)
  }
}

/** Rejects with a UserError when packages are missing. */
export const assertPackages = async (): Promise<void> => void (await load())

/**
 * Starts to trace. `instance` tells this server from others; `egress` leads to the receiver, where that is not direct. Throws a UserError
 * when packages are missing.
 */
export async function openTracer(configuration: TracingConfiguration, instance: string, egress?: Connect): Promise<Tracer> {
  const otel = await load()
  const { endpoint = defaultEndpoint, samplingRatePerMillion: rate = 0 } = configuration
  const url = grpcUrl(endpoint)
  // gRPC makes its own connections, so it is led through a relay
  const relay = egress && !isUnix(endpoint) ? await openRelay(egress, ...addressOf(url)) : undefined
  const exporter = new otel.OTLPTraceExporter({
    url: relay ? `unix://${relay.path}` : url,
    // without this, gRPC would use TLS for every scheme but http://
    credentials: otel.credentials.createInsecure()
  })
  const provider = new otel.BasicTracerProvider({
    resource: otel.resourceFromAttributes({ 'service.name': 'apiserver', 'service.instance.id': instance }),
    sampler: new otel.ParentBasedSampler({
      root: rate > 0 ? new otel.TraceIdRatioBasedSampler(rate / 1e6) : new otel.AlwaysOffSampler()
    }),
    spanProcessors: [new otel.BatchSpanProcessor(exporter)]
  })
  const tracer = provider.getTracer('go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp')
  const propagator = new otel.W3CTraceContextPropagator()
  return {
    startRequest({ name, startedAt, parent, isTrusted, attributes }) {
      const { traceparent, tracestate } = parent
      let context = otel.ROOT_CONTEXT
      if (traceparent) {
        const carrier = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
        context = propagator.extract(context, carrier, otel.defaultTextMapGetter)
      }
      const remote = otel.trace.getSpanContext(context)
      const links = remote && !isTrusted ? [{ context: remote }] : []
      const options = { kind: otel.SpanKind.SERVER, attributes: { ...attributes }, startTime: startedAt, links }
      const span = tracer.startSpan(name, options, isTrusted ? context : otel.ROOT_CONTEXT)
      return span.isRecording() ? new OpenSpan(otel, tracer, span) : undefined
    },
    async stop() {
      const late = new Promise<void>(resolve => setTimeout(resolve, lastSpansMs).unref())
      // spans for a receiver that does not answer are lost
      await Promise.race([provider.shutdown().catch(() => {}), late])
      await relay?.close()
    }
  }
}

const isUnix = (endpoint: string): boolean => /^unix/.test(endpoint)

/** Splits a URL into host and port, which is gRPC's usual one where the URL names none. */
function addressOf(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url)
  return [hostname.replace(/^\[|\]$/g, ''), Number(port || 443)]
}

/** Translates gRPC's names: `dns:///host:port` means `host:port`. Spans are sent without TLS, as in kube-apiserver. */
const grpcUrl = (endpoint: string): string =>
  isUnix(endpoint) ? endpoint.replace(/^unix:\/(?!\/)/, 'unix:///') : `http://${endpoint.replace(/^dns:(?:\/\/[^/]*\/)?/, '')}`

class OpenSpan implements Span {
  readonly #otel: Awaited<ReturnType<typeof load>>
  readonly #tracer: OtelTracer
  readonly #span: OtelSpan

  constructor(otel: Awaited<ReturnType<typeof load>>, tracer: OtelTracer, span: OtelSpan) {
    this.#otel = otel
    this.#tracer = tracer
    this.#span = span
  }

  start(name: string, kind: 'internal' | 'client', attributes: Attributes = {}): Span {
    const { trace, ROOT_CONTEXT, SpanKind } = this.#otel
    const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: { ...attributes } }
    const span = this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span))
    return new OpenSpan(this.#otel, this.#tracer, span)
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes as OtelAttributes)
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error)
      this.#span.setStatus({ code: this.#otel.SpanStatusCode.ERROR, message })
    }
    this.#span.end()
  }

  headers(): Record<string, string> {
    const { trace, ROOT_CONTEXT, W3CTraceContextPropagator, defaultTextMapSetter } = this.#otel
    const carrier: Record<string, string> = {}
    new W3CTraceContextPropagator().inject(trace.setSpan(ROOT_CONTEXT, this.#span), carrier, defaultTextMapSetter)
    return carrier
  }
}
