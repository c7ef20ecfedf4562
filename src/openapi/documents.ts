/**
 * The OpenAPI documents of one server, made at the first request. A v3 document is made anew only when the resources of its group
 * version have changed, so that a new definition costs the others nothing. The v2 document holds everything.
 */

import { createHash } from 'node:crypto'
import { apiGroups, type GroupInfo } from '../discovery/api-groups.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import { loadSchema } from '../schema/load.js'
import { exactJson } from '../util/exact-json.js'
import { nextTurn } from '../util/turns.js'
import { loadDescriptions } from './descriptions.js'
import { groupPrefix, type PathItem } from './operation.js'
import { serverPaths } from './server-paths.js'
import { joinV2, partOf, type V2Part, v2Part } from './v2-document.js'
import { encodeV2Document } from './v2-protobuf.js'
import { v3Document, v3ServerDocument } from './v3-document.js'

export interface Document {
  readonly body: Buffer
  /** Upper-case hex of the content's SHA-512. */
  readonly hash: string
}

interface GroupVersion {
  readonly group: GroupInfo
  readonly version: string
  readonly resources: readonly Resource[]
}

interface Made {
  readonly from: readonly Resource[]
  readonly document: Document
}

const same = (a: readonly Resource[], b: readonly Resource[]) => a.length === b.length && a.every((r, i) => r === b[i])

const documentOf = (body: Buffer): Document => ({ body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() })

export class Documents {
  readonly #registry: Registry
  #generation = -1
  /** By path: "apis/apps/v1". */
  #served = new Map<string, GroupVersion>()
  #ofServer = new Map<string, PathItem>()
  readonly #v3 = new Map<string, Made>()
  /** The index and the v2 documents, until the resources change. */
  readonly #whole = new Map<string, Document>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  #groupVersions(): ReadonlyMap<string, GroupVersion> {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation
      this.#whole.clear()
      const groups = apiGroups(this.#registry)
      this.#ofServer = serverPaths(groups)
      this.#served = new Map(
        groups.flatMap(group =>
          group.versions.map(({ name, resources }) => [
            groupPrefix(group.name, name).slice(1),
            { group, version: name, resources: resources.map(info => info.resource) }
          ])
        )
      )
      for (const name of this.#v3.keys()) if (!this.#served.has(name) && !this.#ofServer.has(name)) this.#v3.delete(name)
    }
    return this.#served
  }

  /** Returns the document of a path such as "apis/apps/v1", or undefined when the path is not served. */
  v3(name: string): Document | undefined {
    const served = this.#groupVersions().get(name)
    const ofServer = this.#ofServer.get(name)
    if (!served && !ofServer) return undefined
    const from = served?.resources ?? []
    const known = this.#v3.get(name)
    if (known && same(known.from, from)) return known.document
    const content = served
      ? v3Document(served.group, served.version, loadSchema(), loadDescriptions())
      : v3ServerDocument(ofServer!, loadSchema(), loadDescriptions())
    const document = documentOf(Buffer.from(exactJson(content)))
    this.#v3.set(name, { from, document })
    return document
  }

  async v2(protobuf: boolean): Promise<Document> {
    return this.#wholeDocument(protobuf ? 'v2 protobuf' : 'v2', async served => {
      const parts: V2Part[] = [partOf([...this.#ofServer.values()], {}, loadSchema(), loadDescriptions())]
      for (const { group, version } of served.values()) {
        parts.push(v2Part(group, version, loadSchema(), loadDescriptions()))
        await nextTurn()
      }
      const json = joinV2(parts)
      return protobuf ? encodeV2Document(JSON.parse(json)) : Buffer.from(json)
    })
  }

  async index(): Promise<Buffer> {
    const document = await this.#wholeDocument('index', async served => {
      const paths: Record<string, unknown> = {}
      for (const name of [...served.keys(), ...this.#ofServer.keys()].sort()) {
        const isNew = !this.#v3.has(name)
        const document = this.v3(name)
        if (document) paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${document.hash}` }
        if (isNew) await nextTurn()
      }
      return Buffer.from(JSON.stringify({ paths }))
    })
    return document.body
  }

  async #wholeDocument(name: string, make: (served: ReadonlyMap<string, GroupVersion>) => Promise<Buffer>): Promise<Document> {
    const served = this.#groupVersions()
    const known = this.#whole.get(name)
    if (known) return known
    const generation = this.#generation
    const document = documentOf(await make(served))
    // a document that was made while resources changed is not kept
    if (generation === this.#generation) this.#whole.set(name, document)
    return document
  }
}
