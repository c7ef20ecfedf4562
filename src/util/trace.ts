/**
 * Spans of the work for a request, where the server traces (--tracing-config-file) or records (apiserver/recorder/). The work finds its span by its asynchronous context, so
 * that calls to webhooks and etcd need not be handed one. Without tracing there is no context, and looking for it costs nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface Span {
  /** Begins a span below this one. */
  start(name: string, kind: 'internal' | 'client', attributes?: Attributes): Span
  set(attributes: Attributes): void
  /** Ends the span. `error` is what made its work fail. */
  end(error?: unknown): void
  /** The headers that tell a server of this span: `traceparent`, `tracestate`. */
  headers(): Readonly<Record<string, string>>
}

const current = new AsyncLocalStorage<Span>()

/** Does `work` within a span, as well as within the current one: the recorder and a trace may both follow a request. */
export function inSpan<T>(span: Span, work: () => T): T {
  const above = current.getStore()
  return current.run(above ? both(above, span) : span, work)
}

const both = (a: Span, b: Span): Span => ({
  start: (name, kind, attributes) => both(a.start(name, kind, attributes), b.start(name, kind, attributes)),
  set(attributes) {
    a.set(attributes)
    b.set(attributes)
  },
  end(error) {
    a.end(error)
    b.end(error)
  },
  headers: () => ({ ...a.headers(), ...b.headers() })
})

/** Does `work` within a new span below the current one, if there is one. `work` receives the new span. */
export function traced<T>(
  name: string,
  kind: 'internal' | 'client',
  attributes: () => Attributes,
  work: (span: Span | undefined) => T
): T {
  const above = current.getStore()
  if (!above) return work(undefined)
  const span = above.start(name, kind, attributes())
  const failed = (error: unknown): never => {
    span.end(error)
    throw error
  }
  const done = (result: Awaited<T>) => {
    span.end()
    return result
  }
  try {
    const result = current.run(span, () => work(span))
    if (result instanceof Promise) return result.then(done, failed) as T
    span.end()
    return result
  } catch (error) {
    return failed(error)
  }
}
