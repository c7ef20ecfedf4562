/** The HTTPS server of an operator's webhooks. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { readDuration } from '../../util/go-duration.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import { defaultBuckets } from '../../util/instruments/metrics.js'
import { isDeeperThan, maxJsonDepth } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import { BodyTooLarge, readLimited } from '../../util/read-limited.js'
import type { KubeClient } from '../types.js'
import { urlOf } from './endpoints.js'
import type { Operator } from './operator.js'
import { conversionPath, webhookPath } from './webhook.js'
import { answerAdmission, answerConversion, BadReview, type ReviewContext } from './webhook-reviews.js'

/** A review has two objects of at most 3 MiB and what is around them. */
const maxReviewBytes = 7 * 1024 * 1024
/** A ConversionReview has as many objects as a list. */
const maxConversionBytes = 128 * 1024 * 1024
/** How long an API server waits at most. */
const longestMs = 30_000

interface Route {
  readonly maxBytes: number
  answer(review: unknown, context: ReviewContext): Promise<object>
}

/** Answers with an HTTP error. */
class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface WebhookServerParts {
  readonly client: KubeClient
  readonly log: Logger
  readonly metrics: Metrics
  /** PEM. */
  readonly certificate: string
  readonly key: string
}

export function webhookServer(operator: Operator, { client, log, metrics, certificate, key }: WebhookServerParts): Server {
  const routes = routesOf(operator)
  const counts = new WebhookMetrics(metrics)
  const limits = { maxHeaderSize: 16_384, requestTimeout: longestMs, headersTimeout: 10_000 }
  return createServer({ cert: certificate, key, ...limits }, async (request, response) => {
    const url = urlOf(request)
    const route = url && routes.get(url.pathname)
    if (!route) {
      request.resume()
      return void response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('not found\n')
    }
    const done = counts.begin(url.pathname)
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), timeoutOf(url.searchParams.get('timeout')))
    response.on('close', () => abort.abort())
    const code = await respond(route, request, response, { client, log, signal: abort.signal })
    clearTimeout(timer)
    done(code)
  })
}

function timeoutOf(given: string | null): number {
  const milliseconds = given === null ? longestMs : readDuration(given)
  return typeof milliseconds === 'number' && milliseconds > 0 ? Math.min(longestMs, milliseconds) : longestMs
}

async function respond(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  context: ReviewContext
): Promise<number> {
  try {
    const body = exactJson(await route.answer(await reviewIn(request, route.maxBytes), context))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    return 200
  } catch (error) {
    const code = error instanceof Refusal ? error.code : error instanceof BadReview ? 400 : 500
    if (code === 500) context.log.error(`webhook: ${error instanceof Error ? error.stack : error}`)
    const message = code === 500 ? 'internal error' : (error as Error).message
    // the rest of the body is not read
    response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${message}\n`)
    return code
  }
}

async function reviewIn(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (request.method !== 'POST') throw new Refusal(405, 'only POST is allowed')
  const type = request.headers['content-type']?.split(';')[0]?.trim()
  if (type !== 'application/json') throw new Refusal(415, 'the content type must be application/json')
  let body: Buffer
  try {
    body = await readLimited(request, maxBytes)
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new Refusal(413, `the body is larger than ${maxBytes} bytes`)
    throw new Refusal(400, 'the body is not complete')
  }
  let review: unknown
  try {
    review = parseExact(body.toString())
  } catch {
    throw new Refusal(400, 'the body is no JSON')
  }
  if (isDeeperThan(review, maxJsonDepth + 2)) throw new Refusal(400, 'the body is too deep')
  return review
}

function routesOf({ webhooks = [], conversions = [] }: Operator): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const webhook of webhooks)
    for (const verb of ['mutate', 'validate'] as const)
      if (webhook[verb])
        routes.set(webhookPath(verb, webhook), {
          maxBytes: maxReviewBytes,
          answer: (review, context) => answerAdmission(review, webhook, verb, context)
        })
  if (conversions.length > 0)
    routes.set(conversionPath, {
      maxBytes: maxConversionBytes,
      answer: (review, { log }) => answerConversion(review, conversions, log)
    })
  return routes
}

class WebhookMetrics {
  readonly #requests
  readonly #latency
  readonly #inFlight

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter({
      name: 'controller_runtime_webhook_requests_total',
      help: 'Requests to webhooks, by the code of the answer.',
      labels: ['webhook', 'code']
    })
    this.#latency = metrics.histogram({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'How long webhooks took.',
      labels: ['webhook'],
      buckets: defaultBuckets
    })
    this.#inFlight = metrics.gauge({
      name: 'controller_runtime_webhook_requests_in_flight',
      help: 'Requests to webhooks that are under way.',
      labels: ['webhook']
    })
  }

  begin(webhook: string): (code: number) => void {
    const began = performance.now()
    this.#inFlight.of(webhook).add()
    return code => {
      this.#inFlight.of(webhook).add(-1)
      this.#latency.of(webhook).observe((performance.now() - began) / 1000)
      this.#requests.of(webhook, String(code)).add()
    }
  }
}
