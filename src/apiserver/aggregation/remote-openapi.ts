/**
 * Keeps the OpenAPI documents of the servers of APIServices: the whole v2 document, and where the v3 documents are, which are asked for
 * when a client asks. Both are fetched when an APIService changes and every minute, by ETag.
 */
import * as refs from '../../apimachinery/api/resources.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { Controller } from '../../controllers/controller.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { RemoteDocuments } from '../endpoints/backend.js'
import { convertedV2 } from '../openapi/convert-v2.js'
import { addressOf, type Document, documentOf } from '../openapi/document.js'
import { v3Answer } from '../openapi/v3-answer.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import type { RemoteConnections } from './remote-connections.js'
import { askRemote, parseAnswer, type RemoteAnswer } from './remote-request.js'

interface Known {
  readonly spec: unknown
  /** Addresses by path, such as "apis/apps/v1"; of the converted document for a server without OpenAPI v3. */
  readonly v3: ReadonlyMap<string, string>
  /** The v3 document that is made of the v2 document, for a server without OpenAPI v3. */
  readonly converted: Document | undefined
  /** The v2 document, as JSON; undefined for a server without OpenAPI v2. */
  readonly v2: unknown
  readonly v2Etag: string | undefined
}

const user: UserInfo = { name: 'system:aggregator', groups: [] }
const refreshMs = 60_000
const firstRetryMs = 1000
const lastRetryMs = 60 * 60_000
const timeoutMs = 60_000
const maxBytes = 16 * 1024 * 1024
const maxIndexBytes = 1024 * 1024

export interface RemoteOpenApiOptions {
  readonly services: Services
  readonly table: ApiServiceTable
  readonly connections: RemoteConnections
  readonly forward: (context: RequestContext, remote: RemoteVersion) => Promise<Response>
  readonly log: Logger
}

export class RemoteOpenApi implements RemoteDocuments {
  readonly #options: RemoteOpenApiOptions
  readonly controller: Controller
  readonly #known = new Map<string, Known>()
  readonly #failures = new Map<string, number>()
  #generation = 0

  constructor(options: RemoteOpenApiOptions) {
    this.#options = options
    const { services, table, log } = options
    this.controller = new Controller({
      name: 'apiservice-openapi',
      queue: 'open_api_aggregation_controller',
      watches: [
        {
          resource: services.registry.of(refs.apiServices),
          keyOf: name => (table.remote(name) || this.#known.has(name) ? name : undefined)
        }
      ],
      clock: services.clock,
      queues: services.queues,
      log,
      reconcile: name => this.#sync(name)
    })
  }

  get generation(): number {
    return this.#generation
  }

  *v3Addresses(): Generator<readonly [path: string, address: string]> {
    for (const { v3 } of this.#known.values()) yield* v3
  }

  *v2Documents(): Generator<{ readonly prefix: string; readonly document: unknown }> {
    for (const [name, { v2 }] of this.#known) {
      const remote = this.#options.table.remote(name)
      if (remote && v2 !== undefined) yield { prefix: `/apis/${remote.group}/${remote.version}/`, document: v2 }
    }
  }

  answerV3(context: RequestContext, path: string): Promise<Response> | undefined {
    for (const [name, { v3, converted }] of this.#known) {
      if (!v3.has(path)) continue
      if (converted) return Promise.resolve(v3Answer(converted, context))
      const remote = this.#options.table.remote(name)
      if (remote) return this.#options.forward(context, remote)
    }
    return undefined
  }

  async #sync(name: string): Promise<number | undefined> {
    const remote = this.#options.table.remote(name)
    if (!remote) {
      this.#failures.delete(name)
      if (this.#known.delete(name)) this.#generation++
      return undefined
    }
    const before = this.#known.get(name)
    try {
      const known = await this.#fetch(remote, before)
      // the APIService may be gone by now, and is reconciled again then
      if (this.#options.table.remote(name)?.spec !== remote.spec) return 0
      this.#failures.delete(name)
      this.#known.set(name, known)
      if (!before || before.v2 !== known.v2 || !sameAddresses(before.v3, known.v3)) this.#generation++
      return refreshMs
    } catch {
      const failures = (this.#failures.get(name) ?? 0) + 1
      this.#failures.set(name, failures)
      return Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 12))
    }
  }

  async #fetch({ server, spec, group, version }: RemoteVersion, before: Known | undefined): Promise<Known> {
    const get = (path: string, maxBytes: number, etag?: string) => {
      const headers = { accept: 'application/json', ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      return askRemote(this.#options.connections, { server, user, path, headers, timeoutMs, maxBytes })
    }
    const known = before?.spec === spec ? before : undefined
    const [index, whole] = await Promise.all([get('/openapi/v3', maxIndexBytes), get('/openapi/v2', maxBytes, known?.v2Etag)])
    if (index.status !== 200 && index.status !== 404) throw new Error(`unexpected status ${index.status}`)
    const v2 = readV2(whole, known)
    if (index.status === 200) return { spec, ...v2, v3: readAddresses(index.body), converted: undefined }
    if (v2.v2 === undefined) return { spec, ...v2, v3: new Map(), converted: undefined }
    if (known?.converted && known.v2 === v2.v2) return { ...known, ...v2 }
    const path = `apis/${group}/${version}`
    const converted = documentOf(Buffer.from(convertedV2(v2.v2)), this.#options.services.clock.now())
    return { spec, ...v2, v3: new Map([[path, addressOf(path, converted)]]), converted }
  }
}

function readV2({ status, headers, body }: RemoteAnswer, known: Known | undefined): Pick<Known, 'v2' | 'v2Etag'> {
  if (status === 304 && known) return { v2: known.v2, v2Etag: known.v2Etag }
  if (status === 404) return { v2: undefined, v2Etag: undefined }
  if (status !== 200) throw new Error(`unexpected status ${status}`)
  const { etag } = headers
  return { v2: parseAnswer(body), v2Etag: typeof etag === 'string' ? etag : undefined }
}

function readAddresses(body: Buffer): Map<string, string> {
  const { paths } = parseAnswer(body) as { paths?: Record<string, { serverRelativeURL?: unknown }> }
  return new Map(
    Object.entries(paths ?? {}).flatMap(([path, item]): [string, string][] =>
      typeof item?.serverRelativeURL === 'string' ? [[path, item.serverRelativeURL]] : []
    )
  )
}

const sameAddresses = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([path, address]) => b.get(path) === address)
