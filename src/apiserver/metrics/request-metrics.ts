/**
 * Counts and times requests. That must cost next to nothing, so it is a few additions on an object found by one look-up. A request
 * that does not reach an endpoint has no series, but for those that are refused because there are too many.
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { BodyPieces, Response } from '../../apimachinery/request/message.js'
import type { RequestRoute } from '../../apimachinery/request/record.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import type { Count, Distribution } from '../../util/instruments/series.js'
import { ProxyRefusals } from './proxy-refusals.js'
import type { RequestFamilies } from './request-families.js'
import { countedRoute, dryRunOf, fieldValidationOf, labelsOf, type RequestLabels } from './request-series.js'

/** The name under which kube-apiserver sends requests to itself. */
const ownUser = 'system:apiserver'

export interface RequestMetricsOptions {
  readonly families: RequestFamilies
  /** Milliseconds, with a fraction. */
  readonly now: () => number
  /** Returns the route of a served resource, even if a client has made up its subresource; undefined for other resources. */
  readonly routeOf: (info: RequestContext['info']) => RequestRoute | undefined
}

/** What is counted for the requests with the same labels. */
interface Series {
  readonly labels: readonly string[]
  readonly dryRun: string
  readonly byCode: Map<number, Count>
  readonly duration: Distribution
  /** Undefined for dry runs. */
  readonly sli: Distribution | undefined
  /** Undefined for requests other than reads. */
  readonly sizes: Distribution | undefined
}

const bodyVerbs: ReadonlyMap<string, string> = new Map([
  ['create', 'create'],
  ['update', 'update'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['deletecollection', 'delete_collection']
])

const nowhere: RequestRoute = { group: '', version: '', resource: '', subresource: '' }

/** Shorter answers, in bytes, cannot be cut off. */
const longBytes = 64 * 1024

/** How many series are kept at hand. Further ones are found by their labels each time. */
const maxKept = 5000

export class RequestMetrics {
  readonly #options: RequestMetricsOptions
  readonly #families: RequestFamilies
  readonly #series = new Map<string, Series>()
  readonly #usualValidation: Distribution
  readonly #proxyRefusals: ProxyRefusals

  constructor(options: RequestMetricsOptions) {
    this.#options = options
    this.#families = options.families
    this.#proxyRefusals = new ProxyRefusals(options.families.terminations)
    this.#usualValidation = options.families.fieldValidation.of('')
  }

  get stage(): Stage {
    const { now } = this.#options
    return {
      name: 'metrics',
      why: 'counts and times every request that an endpoint answers',
      handle: (context, next) => {
        const started = now()
        context.enteredAt = started
        const response = next(context)
        return response instanceof Promise
          ? response.then(late => this.#answered(context, late, started))
          : this.#answered(context, response, started)
      }
    }
  }

  #answered(context: RequestContext, response: Response, started: number): Response {
    const { status, stream, upgrade } = response
    const route = countedRoute(context)
    if (!route) {
      if (context.record.refusedByProxy) this.#proxyRefusals.count(context, status)
      else if (status === 429 || context.record.timedOut) this.#endedEarly(context, status)
      return response
    }
    const series = this.#seriesOf(context, route)
    if (stream || upgrade) {
      const open = this.#families.longRunning.of(...series.labels)
      open.add()
      context.onEnd(() => {
        open.add(-1)
        this.#record(context, series, status, started)
      })
      return response
    }
    this.#record(context, series, status, started)
    const { body } = response
    // a short answer is handed over at once
    if (body && (!Buffer.isBuffer(body) || body.length > longBytes))
      context.onEnd(() => {
        if (context.record.aborted) this.#families.aborts.of(...series.labels.slice(0, -1)).add()
      })
    if (!series.sizes) return response
    const length = body ? body.length : 0
    if (length !== undefined) {
      series.sizes.observe(length)
      return response
    }
    return { ...response, body: measured(body as BodyPieces, series.sizes) }
  }

  #record(context: RequestContext, series: Series, status: number, started: number): void {
    const { record, query } = context
    const seconds = (this.#options.now() - started) / 1000
    let count = series.byCode.get(status)
    if (!count) series.byCode.set(status, (count = this.#countOf(series, status)))
    count.value++
    series.duration.observe(seconds)
    if (series.sli) {
      const { milliseconds } = record
      const waited =
        milliseconds.size === 0
          ? 0
          : (milliseconds.get('mutating-webhook') ?? 0) +
            (milliseconds.get('validating-webhook') ?? 0) +
            (milliseconds.get('apf-queue-wait') ?? 0)
      series.sli.observe(seconds - waited / 1000)
    }
    const validation = query.size === 0 ? this.#usualValidation : this.#families.fieldValidation.of(fieldValidationOf(query))
    validation.observe(seconds)
    if (record.bodyBytes !== undefined) this.#countBody(context, record.bodyBytes)
    if (record.timedOut && status === 504) this.#families.terminations.of(...series.labels, '504').add()
    if (record.removedRelease !== undefined || context.user?.name === ownUser) this.#recordSpecial(context, series)
  }

  /** Records a request for a deprecated version, or from the server itself. */
  #recordSpecial({ record, user }: RequestContext, { labels }: Series): void {
    const [verb, group, version, resource, subresource] = labels as [string, string, string, string, string]
    if (record.removedRelease !== undefined)
      this.#families.deprecated.of(group, version, resource, subresource, record.removedRelease).set(1)
    if (user?.name === ownUser) this.#families.self.of(verb, group, resource, subresource).add()
  }

  #countBody({ info: { verb, group, resource } }: RequestContext, bytes: number): void {
    const named = bodyVerbs.get(verb)
    if (named) this.#families.bodySizes.of(resource, group, named).observe(bytes)
  }

  /** Counts a request that ended before its endpoint was found, because there were too many or it took too long. */
  #endedEarly(context: RequestContext, status: number): void {
    const { info } = context
    // only what is served may become a label; a request whose path cannot be read is about nothing
    const route = info?.isResourceRequest ? this.#options.routeOf(info) : info && nowhere
    if (!route) return
    const series = this.#seriesOf(context, route)
    if (status === 429) this.#countOf(series, status).add()
    this.#families.terminations.of(...series.labels, String(status)).add()
  }

  #countOf({ labels, dryRun }: Series, status: number): Count {
    const [verb, ...route] = labels
    return this.#families.total.of(verb!, dryRun, ...route, String(status))
  }

  #seriesOf(context: RequestContext, route: RequestRoute): Series {
    const labels = labelsOf(context, route)
    const dryRun = dryRunOf(context.query)
    const { verb, group, version, resource, subresource, scope } = labels
    const key = `${verb} ${group} ${version} ${resource} ${subresource} ${scope} ${dryRun}`
    const known = this.#series.get(key)
    if (known) return known
    const series = this.#make(labels, dryRun)
    if (this.#series.size < maxKept) this.#series.set(key, series)
    return series
  }

  #make(names: RequestLabels, dryRun: string): Series {
    const { verb, group, version, resource, subresource, scope, component } = names
    const route = [group, version, resource, subresource, scope, component]
    const labels = [verb, ...route]
    const { duration, sli, sizes } = this.#families
    const isRead = verb === 'GET' || verb === 'LIST'
    return {
      labels,
      dryRun,
      byCode: new Map(),
      duration: duration.of(verb, dryRun, ...route),
      sli: dryRun === '' ? sli.of(...labels) : undefined,
      sizes: isRead ? sizes.of(...labels) : undefined
    }
  }
}

/** Measures a body whose length is known only when it has been sent. */
function measured(body: BodyPieces, sizes: Distribution): BodyPieces {
  let bytes = 0
  const measure = <T extends Awaited<ReturnType<BodyPieces['next']>>>(piece: T): T => {
    if (piece) bytes += piece.bytes.length
    else sizes.observe(bytes)
    return piece
  }
  return {
    length: undefined,
    next() {
      const piece = body.next()
      return piece instanceof Promise ? piece.then(measure) : measure(piece)
    },
    close: () => body.close?.()
  }
}
