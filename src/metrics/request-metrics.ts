/**
 * Counts and times of requests under kube-apiserver's names. Recording must cost next to nothing, so it is a few additions
 * on an object found by one look-up; prom-client reads them when somebody asks.
 */
import type { Registry as PromRegistry } from 'prom-client'
import type { RequestContext } from '../server/context.js'
import type { Stage } from '../server/handler-chain.js'

/** Seconds, as in kube-apiserver's apiserver_request_duration_seconds. */
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

const maxSeries = 5000

interface Series {
  readonly labels: Record<string, string>
  readonly byCode: Map<number, number>
  readonly counts: number[]
  sum: number
  count: number
}

export class RequestMetrics {
  readonly #series = new Map<string, Series>()
  readonly #now: () => number

  /** `now` in milliseconds, with a fraction. */
  constructor(registry: PromRegistry, now: () => number) {
    this.#now = now
    register(registry, 'apiserver_request_total', 'counter', 'Requests by verb, resource and answer.', () => this.#totals())
    register(registry, 'apiserver_request_duration_seconds', 'histogram', 'How long requests took, watches left out.', () =>
      this.#durations()
    )
  }

  get stage(): Stage {
    return {
      name: 'metrics',
      why: 'counts and times every request, whatever becomes of it',
      handle: context => {
        const started = this.#now()
        context.onResponse(({ status }) => this.#record(context, status, this.#now() - started))
        return undefined
      }
    }
  }

  /** Requests for nothing that is there, or refused before that was known, have no series. */
  #record(context: RequestContext, status: number, milliseconds: number): void {
    const { route, info, query } = context
    if (!route) return
    const verb = verbOf(info, context.header('content-type'))
    const scope = !info.isResourceRequest
      ? ''
      : info.name !== '' || info.verb === 'create'
        ? 'resource'
        : info.namespace !== ''
          ? 'namespace'
          : 'cluster'
    const dryRun = dryRunOf(query)
    const { group, version, resource, subresource } = route
    const key = `${verb} ${group} ${version} ${resource} ${subresource} ${scope} ${dryRun}`
    let series = this.#series.get(key)
    if (!series) {
      // definitions come and go
      if (this.#series.size >= maxSeries) return
      const component = info.isResourceRequest ? 'apiserver' : ''
      const labels = { verb, dry_run: dryRun, group, version, resource, subresource, scope, component }
      series = { labels, byCode: new Map(), counts: new Array(buckets.length).fill(0), sum: 0, count: 0 }
      this.#series.set(key, series)
    }
    series.byCode.set(status, (series.byCode.get(status) ?? 0) + 1)
    if (verb === 'WATCH' || verb === 'CONNECT') return
    const seconds = milliseconds / 1000
    series.sum += seconds
    series.count++
    for (let i = 0; i < buckets.length; i++) {
      if (seconds <= buckets[i]!) {
        series.counts[i]!++
        break
      }
    }
  }

  #totals(): Value[] {
    return [...this.#series.values()].flatMap(s =>
      [...s.byCode].map(([code, value]) => ({ labels: { ...s.labels, code: String(code) }, value }))
    )
  }

  #durations(): Value[] {
    const name = 'apiserver_request_duration_seconds'
    return [...this.#series.values()].flatMap(({ labels, counts, sum, count }) => {
      if (count === 0) return []
      let below = 0
      const values: Value[] = buckets.map((le, i) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le: String(le) },
        value: (below += counts[i]!)
      }))
      values.push({ metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count })
      values.push({ metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count })
      return values
    })
  }
}

interface Value {
  metricName?: string
  labels: Record<string, string>
  value: number
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
  // of paths outside the resources
  ['head', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT']
])
const connections: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy'])

function verbOf({ verb, subresource, isResourceRequest }: RequestContext['info'], contentType: string | undefined): string {
  if (isResourceRequest && connections.has(subresource)) return 'CONNECT'
  if (verb === 'patch' && contentType === 'application/apply-patch+yaml') return 'APPLY'
  return verbs.get(verb) ?? 'other'
}

function dryRunOf(query: URLSearchParams): string {
  if (query.size === 0) return ''
  const values = query.getAll('dryRun')
  return values.length === 0 ? '' : values.every(value => value === 'All') ? 'All' : 'invalid'
}

/** prom-client takes anything that can say its values. */
function register(
  registry: PromRegistry,
  name: string,
  type: 'counter' | 'histogram',
  help: string,
  values: () => Value[]
): void {
  const metric = {
    name,
    help,
    type,
    aggregator: 'sum',
    get: async () => ({ name, help, type, aggregator: 'sum', values: values() }),
    reset() {}
  }
  registry.registerMetric(metric as never)
}
