/**
 * Counts and durations of requests under kube-apiserver's names. Recording must cost next to nothing, so it is a few additions on
 * an object found by one look-up. There may be many series, so they are written in slices, and other requests run in between.
 */

import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import type { Stage } from '../request/stage.js'
import { nextTurn, startSlice } from '../util/turns.js'

/** Seconds, as in kube-apiserver's apiserver_request_duration_seconds. */
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

const maxSeries = 5000

interface Series {
  /** In text form, without braces. */
  readonly labels: string
  readonly byCode: Map<number, number>
  readonly counts: number[]
  sum: number
  count: number
}

export class RequestMetrics {
  readonly #series = new Map<string, Series>()
  readonly #now: () => number

  /** `now` in milliseconds, with a fraction. */
  constructor(now: () => number) {
    this.#now = now
  }

  get stage(): Stage {
    return {
      name: 'metrics',
      why: 'counts and times every request, also those that are refused',
      handle: (context, next) => {
        const started = this.#now()
        const record = (response: Response) => {
          this.#record(context, response.status, this.#now() - started)
          return response
        }
        const response = next(context)
        return response instanceof Promise ? response.then(record) : record(response)
      }
    }
  }

  /** Records a request. A request without a route has no series: its path does not exist, or it was refused before routing. */
  #record(context: RequestContext, status: number, milliseconds: number): void {
    const { record, info, query } = context
    const { route } = record
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
      // CustomResourceDefinitions come and go, so the number of series needs a bound
      if (this.#series.size >= maxSeries) return
      const component = info.isResourceRequest ? 'apiserver' : ''
      // no label has a character that must be escaped
      const labels = `verb="${verb}",dry_run="${dryRun}",group="${group}",version="${version}",resource="${resource}",subresource="${subresource}",scope="${scope}",component="${component}"`
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

  /** Writes the metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    const pieces = [heading(total, 'counter', 'Requests by verb, resource and answer.')]
    for await (const series of this.#inSlices())
      for (const [code, count] of series.byCode) pieces.push(`${total}{${series.labels},code="${code}"} ${count}\n`)
    pieces.push(heading(duration, 'histogram', 'How long requests took, watches left out.'))
    for await (const { labels, counts, sum, count } of this.#inSlices()) {
      if (count === 0) continue
      let below = 0
      for (const [i, limit] of buckets.entries())
        pieces.push(`${duration}_bucket{${labels},le="${limit}"} ${(below += counts[i]!)}\n`)
      pieces.push(`${duration}_bucket{${labels},le="+Inf"} ${count}\n`)
      pieces.push(`${duration}_sum{${labels}} ${sum}\n${duration}_count{${labels}} ${count}\n`)
    }
    return pieces.join('')
  }

  async *#inSlices(): AsyncGenerator<Series> {
    let sliceIsOver = startSlice()
    for (const series of this.#series.values()) {
      yield series
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
  }
}

const total = 'apiserver_request_total'
const duration = 'apiserver_request_duration_seconds'
const heading = (name: string, type: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const verbs: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
  // verbs of non-resource paths
  ['head', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT']
])
const connections: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy'])

export function verbOf(
  { verb, subresource, isResourceRequest }: RequestContext['info'],
  contentType: string | undefined
): string {
  if (isResourceRequest && connections.has(subresource)) return 'CONNECT'
  if (verb === 'patch' && contentType === 'application/apply-patch+yaml') return 'APPLY'
  return verbs.get(verb) ?? 'other'
}

function dryRunOf(query: URLSearchParams): string {
  if (query.size === 0) return ''
  const values = query.getAll('dryRun')
  return values.length === 0 ? '' : values.every(value => value === 'All') ? 'All' : 'invalid'
}
