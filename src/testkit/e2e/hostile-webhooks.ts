/** Asks webhooks about odd users and objects; they read strictly, and answer with hostile bytes. */
import type { Duplex } from 'node:stream'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { WebhookTarget } from '../../apiserver/audit/webhook-target.js'
import { TokenError } from '../../auth/authentication/authenticator.js'
import { WebhookTokens } from '../../auth/authentication/webhook-tokens.js'
import { WebhookAuthorizer } from '../../auth/authorization/webhook/authorizer.js'
import { type BinnacleServer, createServer } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import { RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../util/clock.js'
import type { JsonObject } from '../../util/json.js'
import { silentLogger } from '../../util/logger.js'
import { systemRandomness } from '../../util/randomness.js'
import { hostileAnswer, hostileJson } from '../hostile-answer.js'
import { HostileValues } from '../hostile-values.js'
import { pick } from '../random.js'
import { startWireServer, type WireRequest, type WireServer } from '../wire-server.js'

/** One answer in so many never ends, which takes a webhook's whole time. */
const stalls = 150
const timeoutMs = 1000
/** Longer than any call may take, with all its retries. */
const lateMs = 20_000
const group = 'hostile.example.com'
const admin = { name: 'admin', groups: ['system:masters'] }

/** Waits between retries are over at once. */
const hasty: Clock = {
  now: () => 0,
  setTimeout(callback) {
    const timer = setImmediate(callback)
    return { cancel: () => clearImmediate(timer) }
  }
}

/** The value as it has to arrive: texts have only what UTF-8 can hold. */
function arrived(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(arrived)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), arrived(one)]))
}

/** What JavaScript says of the mistakes that a careless reader makes. */
const careless =
  /is not (?:a function|iterable|an? object)|undefined|Cannot |Maximum call|Invalid (?:array|string) length|Assertion|\[object/

function hostileUser(values: HostileValues) {
  const { next } = values
  return {
    name: values.text() || 'x',
    groups: [values.text(), 'system:masters', values.text()],
    ...(next(2) === 0 && { uid: values.text(), extra: { [values.text()]: [values.text(), values.text()], a: [] } })
  }
}

/** An answer to a review, as the kind of webhook should give it. */
function rightAnswer(values: HostileValues, { body }: WireRequest): unknown {
  const { next } = values
  // a GET follows some redirects
  if (body.length === 0) return {}
  const review = JSON.parse(body.toString())
  const { kind, apiVersion, request, spec } = review
  const identity = { kind, apiVersion }
  if (kind === 'AdmissionReview') {
    const operations = hostilePatch(values)
    const patch = next(2) === 0 && { patchType: 'JSONPatch', patch: Buffer.from(operations).toString('base64') }
    const status = {
      code: pick(next, [403, 200, 99, -1, 1e300, 1.5, 1000]),
      message: values.text(),
      reason: values.text(3),
      details: { retryAfterSeconds: 1, causes: [{ message: 'x' }] }
    }
    const more = { status, warnings: [values.text()], auditAnnotations: { [values.text(2)]: values.text() } }
    return { ...identity, response: { uid: request.uid, allowed: next(4) > 0, ...more, ...patch } }
  }
  if (kind === 'ConversionReview') {
    const convertedObjects = request.objects.map((object: JsonObject) => ({ ...object, apiVersion: request.desiredAPIVersion }))
    return {
      ...identity,
      response: { uid: request.uid, result: { status: 'Success', message: values.text() }, convertedObjects }
    }
  }
  if (kind === 'TokenReview') {
    const user = { username: values.text(), uid: 'u', groups: ['g'], extra: { a: ['b'] } }
    return { ...identity, spec, status: { authenticated: true, audiences: ['api'], error: values.text(), user } }
  }
  return { ...identity, status: { allowed: true, denied: false, reason: values.text(), evaluationError: values.text() } }
}

function hostilePatch(values: HostileValues): Buffer {
  const { next } = values
  const paths = [
    '/data/a',
    '/metadata/labels',
    '/metadata/name',
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '',
    '/',
    '/data/-',
    '/data/99999999999',
    '/metadata/__proto__',
    '/kind',
    '/apiVersion',
    '/~2',
    '/data/~1~0',
    'x',
    '/metadata/annotations/a'
  ]
  const operation = () => ({
    op: pick(next, ['add', 'remove', 'replace', 'copy', 'move', 'test', 'x', '']),
    path: pick(next, paths),
    from: pick(next, paths),
    value: values.like({ a: 'b', __proto__: null, c: [1, '2'] })
  })
  const operations = Array.from({ length: next(5) }, operation)
  // each copy doubles the object
  if (next(20) === 0)
    operations.push(...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '', path: `/data/x${i}`, value: '' })))
  if (next(40) === 0)
    operations.push(...Array.from({ length: 20_000 }, (_, i) => ({ op: 'add', from: '', path: `/data/x${i}`, value: '' })))
  return hostileJson(values, operations)
}

const polluted = (): boolean => 'polluted' in {} || Object.keys(Object.prototype).length > 0

type Kind = 'admission' | 'conversion' | 'authorization' | 'token' | 'audit'
export const webhookKinds: readonly Kind[] = ['admission', 'conversion', 'authorization', 'token', 'audit']

export class HostileWebhooks {
  readonly #wire: WireServer
  readonly #server: BinnacleServer
  readonly #ca: string
  /** What the server has logged as an error of its own. */
  readonly #faults: string[]
  /** How many objects have been created; each has a name of its own. */
  #objects = 0

  private constructor(wire: WireServer, server: BinnacleServer, ca: string, faults: string[]) {
    this.#wire = wire
    this.#server = server
    this.#ca = ca
    this.#faults = faults
  }

  static async start(): Promise<HostileWebhooks> {
    const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })
    const wire = await startWireServer({ cert: serving.certificate, key: serving.key })
    const faults: string[] = []
    const error = (message: string) => void (/\n {4}at /.test(message) && faults.push(message))
    const server = createServer({ listen: false, log: { ...silentLogger, error }, controllers: [] })
    await server.start()
    const started = new HostileWebhooks(wire, server, serving.trust, faults)
    await started.#configure()
    return started
  }

  async #configure(): Promise<void> {
    const clientConfig = { url: `https://127.0.0.1:${this.#wire.port}/`, caBundle: Buffer.from(this.#ca).toString('base64') }
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } } }
        }
      }
    }
    const versions = ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }))
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
    const spec = { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions, conversion }
    await this.#make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: `things.${group}` }, spec })
    while ((await this.#server.inject({ url: `/apis/${group}/v2`, user: admin })).status !== 200) await new Promise(setImmediate)
    for (const kind of ['mutating', 'validating']) {
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }]
      const how = { sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: timeoutMs / 1000 }
      const webhooks = [{ name: `${kind}.example.com`, clientConfig, rules, ...how }]
      await this.#make(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
        metadata: { name: 'w' },
        webhooks
      })
    }
  }

  async #make(url: string, body: object): Promise<void> {
    const { status, body: answer } = await this.#server.inject({ url, body, user: admin })
    if (status !== 201) throw new Error(`${status} ${answer}`)
  }

  /** Returns what is wrong with what a webhook of the kind was sent, and what became of its answers; undefined when nothing is. */
  async problem(kind: Kind, seed: number): Promise<string | undefined> {
    const wire = this.#wire
    const values = new HostileValues(seed)
    wire.requests.length = wire.malformed.length = this.#faults.length = 0
    const sent: string[] = []
    wire.answer = (request: WireRequest, socket: Duplex) => {
      if (values.next(5) === 0) {
        const body = Buffer.from(JSON.stringify(rightAnswer(values, request)))
        sent.push(body.toString())
        socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body]))
        return
      }
      const body = hostileJson(values, rightAnswer(values, request))
      sent.push(body.subarray(0, 1000).toString('latin1'))
      hostileAnswer(values, body, kind === 'conversion' ? 0 : stalls)(socket)
    }
    const user = hostileUser(values)
    const problem = (what: string) =>
      `${kind}, seed ${seed}: ${what}\n${JSON.stringify({ user, sent: sent.map(one => one.slice(0, 1000)) })}`
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(resolve => {
      timer = setTimeout(resolve, lateMs, 'no answer')
    })
    const found = await Promise.race([this.#kinds[kind](values, user), late])
      .catch(error => `failed with ${error instanceof Error ? error.stack : error}`)
      .finally(() => clearTimeout(timer))
    if (found) return problem(found)
    if (this.#faults.length > 0) return problem(`logged ${this.#faults}`)
    if (polluted()) return problem('the prototype of all objects has changed')
    if (wire.malformed.length > 0) return problem(`sent ${wire.malformed}`)
    for (let turn = 0; wire.open > 0; turn++) {
      if (turn > 5000) return problem(`${wire.open} connections stay open`)
      await new Promise(resolve => setImmediate(resolve))
    }
    return undefined
  }

  /** Reads what the webhook was sent first; undefined when nothing was. `isMeant` leaves out what comes late from the seed before. */
  #asked(isMeant: (review: any) => boolean = () => true): any {
    for (const { method, body } of this.#wire.requests) {
      // a redirect that was followed
      if (method !== 'POST') continue
      const review = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
      if (isMeant(review)) return review
    }
    return undefined
  }

  readonly #kinds: Readonly<
    Record<Kind, (values: HostileValues, user: ReturnType<typeof hostileUser>) => Promise<string | undefined>>
  > = {
    admission: async (values, user) => {
      const annotations = { [`a${values.next(100)}`]: values.text(), b: values.text() }
      const data = { a: values.text(), b: values.text() }
      const url = `/api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=${encodeURIComponent(values.wellFormed(3))}`
      const name = `m${++this.#objects}`
      const answer = await this.#server.inject({ method: 'POST', url, user, body: { metadata: { name, annotations }, data } })
      return this.#wrongAnswer(answer) ?? this.#wrongReview(name, user, { annotations, data })
    },
    conversion: async (values, user) => {
      const spec = { a: values.text(), b: [values.next(5)] }
      const url = `/apis/${group}/v2/things?dryRun=All`
      const body = { apiVersion: `${group}/v2`, kind: 'Thing', metadata: { name: 'm', annotations: { a: values.text() } }, spec }
      const answer = await this.#server.inject({ method: 'POST', url, user, body })
      const asked = this.#asked()?.request.objects[0]
      if (asked && JSON.stringify(asked.spec) !== JSON.stringify(arrived(spec))) return `asked about ${JSON.stringify(asked)}`
      return this.#wrongAnswer(answer)
    },
    authorization: async (values, user) => {
      const authorizer = new WebhookAuthorizer({
        ...{ name: 'w', webhook: this.#remote(), version: 'v1', authorizedTTL: 0, unauthorizedTTL: 0, deniesOnFailure: true },
        ...{ conditions: [], clock: hasty, log: silentLogger },
        metrics: { decisions: () => ({ allowed: 0, denied: 0 }), webhookCalled() {}, failedOpen() {}, conditionsEvaluated() {} }
      })
      const name = values.text()
      const decision = await authorizer.authorize(aboutResource({ user, verb: 'get', group: '', resource: 'pods', name }))
      authorizer.close()
      if (typeof decision?.allowed !== 'boolean') return `decided ${JSON.stringify(decision)}`
      if (typeof decision.reason !== 'string' || careless.test(decision.error ?? '')) return `decided ${JSON.stringify(decision)}`
      const { spec } = this.#asked()
      const wanted = arrived({ user: user.name, groups: user.groups, extra: user.extra, uid: user.uid || undefined })
      const { user: asked, groups, extra, uid } = spec
      if (!same({ user: asked, groups, extra, uid }, wanted)) return `asked about ${JSON.stringify(spec)}`
      return (spec.resourceAttributes.name ?? '') === name.toWellFormed() ? undefined : `asked about ${JSON.stringify(spec)}`
    },
    token: async values => {
      const webhook = this.#remote()
      const token = values.text() || 'x'
      const tokens = new WebhookTokens({ webhook, version: 'v1', apiAudiences: ['api'], log: silentLogger })
      try {
        const { user } = (await tokens.authenticateToken(token)) ?? {}
        if (user && (typeof user.name !== 'string' || !user.groups.every(one => typeof one === 'string')))
          return `took ${JSON.stringify(user)}`
      } catch (error) {
        if (!(error instanceof TokenError) || careless.test(error.message)) throw error
      } finally {
        await webhook.close()
      }
      return this.#asked().spec.token === token.toWellFormed() ? undefined : `asked about ${JSON.stringify(this.#asked())}`
    },
    audit: async (values, user) => {
      const target = new WebhookTarget(this.#remote())
      const event = JSON.stringify({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'Metadata',
        user: arrived(user),
        uri: values.text().toWellFormed()
      })
      try {
        await target.write(Array(1 + values.next(3)).fill(event))
      } catch (error) {
        if (!(error instanceof WebhookCallError) || careless.test(error.message)) throw error
      } finally {
        await target.close()
      }
      const { kind, items } = this.#asked()
      return kind === 'EventList' && same(items[0].user, arrived(user)) ? undefined : `sent ${JSON.stringify(items)}`
    }
  }

  #remote(): RemoteWebhook {
    const kubeconfig = { server: `https://127.0.0.1:${this.#wire.port}/review`, ca: this.#ca, insecure: false, headers: {} }
    return new RemoteWebhook({ kubeconfig, clock: hasty, random: systemRandomness, timeoutMs, mayBeEmpty: true })
  }

  #wrongAnswer({ status, body }: { status: number; body: Buffer }): string | undefined {
    if (status === 201) return undefined
    const { message, reason } = JSON.parse(body.toString())
    if (status < 400 || (status > 999 && status < 1000)) return `answered with ${status} ${message}`
    return careless.test(message) ? `answered with ${status} ${reason}: ${message}` : undefined
  }

  #wrongReview(
    name: string,
    user: ReturnType<typeof hostileUser>,
    shown: { annotations: object; data: object }
  ): string | undefined {
    const asked = this.#asked(review => review.request.name === name)
    if (!asked) return undefined
    const { userInfo, object } = asked.request
    const { name: username, groups, uid, extra } = user
    const wanted = arrived({ username, groups, uid: uid || undefined, extra })
    if (!same({ username: userInfo.username, groups: userInfo.groups, uid: userInfo.uid, extra: userInfo.extra }, wanted))
      return `asked about the user ${JSON.stringify(userInfo)}`
    const { metadata, data } = object
    return same({ annotations: metadata.annotations, data }, arrived(shown)) ? undefined : `asked about ${JSON.stringify(object)}`
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#wire.close()
  }
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, one]) => [key, sorted(one)])
          .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))
      : value
const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(arrived(a))) === JSON.stringify(sorted(arrived(b)))
