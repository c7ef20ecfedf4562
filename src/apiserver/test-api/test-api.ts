/** The test kit over HTTP, for tests in other languages (--test-api): docs/testing.md. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Handler, IncomingRequest, Response } from '../../apimachinery/request/message.js'
import { badRequest, internalError, methodNotAllowed, StatusError } from '../../apimachinery/status/status.js'
import type { ControllableClock } from '../../util/controllable-clock.js'
import { UserError } from '../../util/user-error.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { pageNotFound } from '../endpoints/route-rules.js'
import { parseBody } from '../own-paths/body.js'
import { wrongField } from '../own-paths/errors.js'
import { type DocumentHead, ownDocument } from '../own-paths/own-document.js'
import { clockRoutes } from './clock.js'
import { FaultRules } from './faults.js'
import type { Kit } from './kit.js'
import { kubeconfigRoutes } from './kubeconfigs.js'
import { defaultLimits, type TestApiLimits } from './limits.js'
import { requestRoutes } from './requests.js'
import { json, namePattern, nameSchema, type Route } from './route.js'
import { serverRoutes } from './servers.js'
import { Snapshots } from './snapshots.js'

const root = '/testing/v1'
const document: DocumentHead = {
  title: 'Binnacle test API',
  version: 'v1',
  description:
    'The test kit of a Binnacle server. Paths begin with the URL of the server that is meant: the one that was started, or one that it hosts at /servers/NAME. Clients need the permissions of the paths, which members of system:masters have.',
  root,
  pathParameter: nameSchema
}
const validName = new RegExp(namePattern)

/** The test API of one server. It survives when the server goes back to a snapshot. */
export class TestApi {
  /** The clock of the server. */
  readonly clock: ControllableClock
  readonly #limits: TestApiLimits
  readonly #snapshots: Snapshots
  readonly #faults: FaultRules
  /** The routes by path, then by method. In a path, `{}` stands for the name. */
  readonly #routes = new Map<string, Map<string, Route>>()
  /** Work that begins when a request has left the server's handler. */
  readonly #afterwards = new WeakMap<IncomingRequest, () => Promise<void>>()

  constructor(kit: Kit, clock: ControllableClock, limits: TestApiLimits = defaultLimits) {
    this.clock = clock
    this.#limits = limits
    this.#faults = new FaultRules(kit, limits)
    // the faults of a server belong to one of its states
    this.#snapshots = new Snapshots(kit, clock, limits, () => this.#faults.clear())
    const routes: Route[] = [
      ...serverRoutes(kit, this.#snapshots, limits),
      ...this.#snapshots.routes,
      ...kubeconfigRoutes(kit),
      ...clockRoutes(clock),
      ...('faults' in kit ? this.#faults.routes : []),
      ...('recorder' in kit ? requestRoutes(kit) : [])
    ]
    routes.push({
      method: 'GET',
      path: '/openapi.json',
      id: 'readDocument',
      summary: 'Read this document',
      answers: { 200: { description: 'The document.', schema: { type: 'object' } } },
      handle: () => json(ownDocument(document, routes))
    })
    for (const route of routes) {
      const path = route.path.replace(/\{\w+\}/, '{}')
      const methods = this.#routes.get(path) ?? new Map()
      this.#routes.set(path, methods.set(route.method, route))
    }
  }

  /** The paths that --test-api adds to a server. */
  readonly paths: readonly PathHandler[] = [{ path: `${root}/`, handle: context => this.#answer(context) }]

  /** Wraps the handler of the server, and does the work that has to wait until a request has left it. */
  around(handler: Handler): Handler {
    return async request => {
      const answer = await handler(request)
      const work = this.#afterwards.get(request)
      if (!work) return answer
      // a restore waits for requests under way, of which this would be one
      answer.ended()
      try {
        await work()
        return answer
      } catch (error) {
        const { status } = statusOf(error)
        return { ...answer, ...json(status, status.code), headers: { ...answer.headers, 'content-type': 'application/json' } }
      }
    }
  }

  /**
   * Frees everything that clients have made, except servers, which end with their host. Releases the clock, because parts that
   * stop wait by it.
   */
  async stop(): Promise<void> {
    this.clock.release()
    this.#faults.clear()
    await this.#snapshots.clear()
  }

  async #answer(context: RequestContext): Promise<Response> {
    const { path, name } = this.#locate(context.path.slice(root.length))
    const methods = this.#routes.get(path)
    if (!methods) return pageNotFound()
    const { method } = context.request
    const route = methods.get(method)
    if (!route) throw new StatusError(methodNotAllowed().status, { allow: [...methods.keys()].join(', ') })
    if (path.includes('{}') && !validName.test(name)) throw wrongField('name', `must match ${namePattern}`)
    const bytes = method === 'GET' ? noBytes : await context.readBody(this.#limits.bodyBytes)
    const body = parseBody(bytes, route.body ?? noBody)
    const { query, signal, request } = context
    const afterwards = (work: () => Promise<void>) => void this.#afterwards.set(request, work)
    try {
      return await route.handle({ name, body, query, signal, afterwards })
    } catch (error) {
      throw error instanceof UserError ? statusOf(error) : error
    }
  }

  /** Splits a path. Its second segment is a name, unless there is a route with exactly this path. */
  #locate(rest: string): { path: string; name: string } {
    if (this.#routes.has(rest)) return { path: rest, name: '' }
    const [, first = '', name = '', ...more] = rest.split('/')
    return { path: [`/${first}/{}`, ...more].join('/'), name }
  }
}

const noBytes = Buffer.alloc(0)
const noBody = { type: 'object', additionalProperties: false } as const

function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  const { message } = error as Error
  return error instanceof UserError ? badRequest(message) : internalError(message)
}
