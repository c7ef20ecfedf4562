/**
 * The OpenAPI documents of one server, made at the first request. A v3 document, and what a group version contributes to the v2
 * document, is made anew only when the resources of the group version have changed, so that a new definition costs the others nothing.
 */

import { loadSchema } from '../../apimachinery/schema/load.js'
import type { Clock } from '../../util/clock.js'
import { exactJson } from '../../util/exact-json.js'
import { nextTurn } from '../../util/turns.js'
import { apiGroups } from '../discovery/api-groups.js'
import { type ApiGroupVersion, type Backend, generationOf, type OpenApiV2Part } from '../endpoints/backend.js'
import { loadDescriptions } from './descriptions.js'
import { addressOf, type Document, documentOf } from './document.js'
import { remoteV2Part } from './merge-v2.js'
import { groupPrefix, type PathItem } from './operation.js'
import { serverPaths } from './server-paths.js'
import { joinV2, partOf } from './v2-document.js'
import { encodeV2Document } from './v2-protobuf.js'
import { v3ServerDocument } from './v3-document.js'

interface Made {
  readonly from: readonly unknown[]
  readonly document: Document
}

const same = (a: readonly unknown[], b: readonly unknown[]) => a.length === b.length && a.every((r, i) => r === b[i])

export class Documents {
  readonly #backends: readonly Backend[]
  readonly #clock: Pick<Clock, 'now'>
  readonly #release: string
  #generation = -1
  /** The group versions by path: "apis/apps/v1". */
  #served = new Map<string, ApiGroupVersion>()
  #ofServer = new Map<string, PathItem>()
  readonly #v3 = new Map<string, Made>()
  /** What each group version contributes to the v2 documents. */
  readonly #v2Parts = new Map<string, { readonly from: readonly unknown[]; readonly part: OpenApiV2Part }>()
  /** The index and the v2 documents, until the resources change. */
  readonly #whole = new Map<string, Document>()

  /** `release`: the emulated one, `1.36`. */
  constructor(backends: readonly Backend[], clock: Pick<Clock, 'now'>, release: string) {
    this.#release = release
    this.#backends = backends
    this.#clock = clock
  }

  #documentOf(body: Buffer): Document {
    return documentOf(body, this.#clock.now())
  }

  #groupVersions(): ReadonlyMap<string, ApiGroupVersion> {
    const generation = generationOf(this.#backends)
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#whole.clear()
      const groups = apiGroups(this.#backends)
      this.#ofServer = serverPaths(groups)
      this.#served = new Map(
        groups.flatMap(group =>
          group.versions
            .filter(({ openApi }) => openApi !== undefined)
            .map((version): [string, ApiGroupVersion] => [groupPrefix(group.name, version.name).slice(1), version])
        )
      )
      for (const name of this.#v2Parts.keys()) if (!this.#served.has(name)) this.#v2Parts.delete(name)
      for (const name of this.#v3.keys()) if (!this.#served.has(name) && !this.#ofServer.has(name)) this.#v3.delete(name)
    }
    return this.#served
  }

  /** Returns the document of a path such as "apis/apps/v1", or undefined when the path is not served. */
  v3(name: string): Document | undefined {
    const served = this.#groupVersions().get(name)
    const ofServer = this.#ofServer.get(name)
    if (!served && !ofServer) return undefined
    const from = served?.openApi?.parts ?? []
    const known = this.#v3.get(name)
    if (known && same(known.from, from)) return known.document
    const content = served?.openApi
      ? served.openApi.v3(this.#release)
      : v3ServerDocument(ofServer!, this.#release, loadSchema(), loadDescriptions())
    const document = this.#documentOf(Buffer.from(exactJson(content)))
    this.#v3.set(name, { from, document })
    return document
  }

  async v2(protobuf: boolean): Promise<Document> {
    return this.#wholeDocument(protobuf ? 'v2 protobuf' : 'v2', async served => {
      const parts: OpenApiV2Part[] = [partOf([...this.#ofServer.values()], {}, loadSchema(), loadDescriptions())]
      for (const [name, { openApi }] of served) {
        const known = this.#v2Parts.get(name)
        const from = openApi!.parts
        if (known && same(known.from, from)) parts.push(known.part)
        else {
          const part = openApi!.v2()
          this.#v2Parts.set(name, { from, part })
          parts.push(part)
          await nextTurn()
        }
      }
      for (const { documents } of this.#backends)
        for (const { document, prefix } of documents?.v2Documents() ?? []) {
          parts.push(remoteV2Part(document, prefix, parts))
          await nextTurn()
        }
      const json = joinV2(parts, this.#release)
      return protobuf ? encodeV2Document(JSON.parse(json)) : Buffer.from(json)
    })
  }

  index(): Promise<Document> {
    return this.#wholeDocument('index', async served => {
      const paths: Record<string, unknown> = {}
      const remote = new Map(this.#backends.flatMap(({ documents }) => [...(documents?.v3Addresses() ?? [])]))
      for (const name of [...new Set([...served.keys(), ...this.#ofServer.keys(), ...remote.keys()])].sort()) {
        const address = remote.get(name)
        if (address !== undefined && !served.has(name) && !this.#ofServer.has(name)) {
          paths[name] = { serverRelativeURL: address }
          continue
        }
        const isNew = !this.#v3.has(name)
        const document = this.v3(name)
        if (document) paths[name] = { serverRelativeURL: addressOf(name, document) }
        if (isNew) await nextTurn()
      }
      return Buffer.from(JSON.stringify({ paths }))
    })
  }

  async #wholeDocument(name: string, make: (served: ReadonlyMap<string, ApiGroupVersion>) => Promise<Buffer>): Promise<Document> {
    const served = this.#groupVersions()
    const known = this.#whole.get(name)
    if (known) return known
    const generation = this.#generation
    const document = this.#documentOf(await make(served))
    // a document that was made while the resources changed is not kept
    if (generation === this.#generation) this.#whole.set(name, document)
    return document
  }
}
