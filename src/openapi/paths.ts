/** The OpenAPI endpoints. Documents are made when first asked for, and again when the served resources change. */
import { createHash } from 'node:crypto'
import { apiGroups } from '../discovery/api-groups.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { parseAccept } from '../formats/negotiate.js'
import type { Registry } from '../registry/registry.js'
import { loadSchema } from '../schema/load.js'
import type { RequestContext, Response } from '../server/context.js'
import { methodNotAllowed } from '../server/status.js'
import { loadDescriptions } from './descriptions.js'
import { groupPrefix } from './operation.js'
import { v2Document } from './v2-document.js'
import { encodeV2Document, v2ProtobufType } from './v2-protobuf.js'
import { v3Document } from './v3-document.js'

interface Document {
  readonly body: Buffer
  /** Upper-case hex of the content's SHA-512. */
  readonly hash: string
}

export function openApiPaths(registry: Registry): PathHandler[] {
  const documents = new Documents(registry)
  const get = (handle: (context: RequestContext) => Response) => (context: RequestContext) => {
    if (context.request.method !== 'GET') throw methodNotAllowed()
    return handle(context)
  }
  return [
    { path: '/openapi/v2', handle: get(context => v2Answer(documents, context)) },
    { path: '/openapi/v3', handle: get(() => respondBytes(200, 'text/plain; charset=utf-8', documents.index())) },
    { path: '/openapi/v3/', handle: get(context => v3Answer(documents, context)) }
  ]
}

class Documents {
  readonly #registry: Registry
  readonly #made = new Map<string, Document>()
  #generation = -1

  constructor(registry: Registry) {
    this.#registry = registry
  }

  #document(
    name: string,
    make: () => unknown,
    encode: (document: any) => Buffer = document => Buffer.from(JSON.stringify(document))
  ): Document {
    if (this.#generation !== this.#registry.generation) {
      this.#made.clear()
      this.#generation = this.#registry.generation
    }
    let document = this.#made.get(name)
    if (!document) {
      const body = encode(make())
      document = { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() }
      this.#made.set(name, document)
    }
    return document
  }

  v2(protobuf: boolean): Document {
    const make = () => v2Document(apiGroups(this.#registry), loadSchema(), loadDescriptions())
    return protobuf ? this.#document('v2 protobuf', make, encodeV2Document) : this.#document('v2', make)
  }

  /** The document of a path like "apis/apps/v1"; undefined when nothing is served there. */
  v3(name: string): Document | undefined {
    for (const group of apiGroups(this.#registry)) {
      for (const version of group.versions) {
        if (groupPrefix(group.name, version.name) === `/${name}`)
          return this.#document(name, () => v3Document(group, version.name, loadSchema(), loadDescriptions()))
      }
    }
    return undefined
  }

  index(): Buffer {
    return this.#document('index', () => ({
      paths: Object.fromEntries(
        apiGroups(this.#registry).flatMap(group =>
          group.versions.map(version => {
            const name = groupPrefix(group.name, version.name).slice(1)
            return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${this.v3(name)!.hash}` }]
          })
        )
      )
    })).body
  }
}

const year = 365 * 24 * 60 * 60

function v3Answer(documents: Documents, context: RequestContext): Response {
  const document = documents.v3(context.info.path.slice('/openapi/v3/'.length).replace(/\/$/, ''))
  if (!document) return { status: 404, headers: {} }
  const hash = context.query.get('hash')
  // a hash that is no longer right leads to the one that is
  if (hash !== null && hash !== document.hash)
    return { status: 301, headers: { location: `${context.info.path}?hash=${document.hash}` } }
  const headers: Record<string, string> = { 'content-type': 'application/json', etag: `"${document.hash}"`, vary: 'Accept' }
  if (hash !== null) {
    headers['cache-control'] = 'public, immutable'
    headers.expires = new Date(context.receivedAt + year * 1000).toUTCString()
  }
  if (context.header('if-none-match') === headers.etag) return { status: 304, headers }
  return { status: 200, headers, body: document.body }
}

const v2Types = ['application/json', 'application/*', '*/*', v2ProtobufType]

function v2Answer(documents: Documents, context: RequestContext): Response {
  const accept = context.header('accept')
  const wanted = accept ? parseAccept(accept).find(({ type }) => v2Types.includes(type)) : { type: '*/*' }
  if (!wanted) return { status: 406, headers: {} }
  const protobuf = wanted.type === v2ProtobufType
  const { body, hash } = documents.v2(protobuf)
  const headers = {
    'content-type': protobuf ? 'application/octet-stream' : 'application/json',
    etag: `"${hash}"`,
    vary: 'Accept'
  }
  return context.header('if-none-match') === headers.etag ? { status: 304, headers } : { status: 200, headers, body }
}
