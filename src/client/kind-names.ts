/** Finds the names of kinds in paths: a transport knows those of built-in kinds, the others are looked up in discovery. */
import type { DeclaredKind } from '../apimachinery/api/kube-object.js'
import { isMap, shown, type ValueType } from '../util/members.js'
import { UserError } from '../util/user-error.js'
import type { Connection } from './connection.js'
import type { KindNames } from './transport.js'
import type { KindRef } from './types.js'

const versionOf = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)
const keyOf = (apiVersion: string, kind: string) => `${apiVersion} ${kind}`

/** What an option must be that names a kind. */
export const kindType: ValueType = {
  what: 'a kind: of defineKind, of kindRef, or { apiVersion, kind }',
  is(value) {
    if (!isMap(value) || !isName(value.kind)) return false
    const { apiVersion, group, versions } = value
    if (!('versions' in value)) return isName(apiVersion)
    return typeof group === 'string' && Array.isArray(versions) && isName(versions[0]?.name)
  }
}
const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** The kind as an own kind declares it, in its first version. Throws a UserError for what is no kind. */
export function refOf(kind: DeclaredKind | KindRef): KindRef {
  if (!kindType.is(kind)) throw new UserError(`of() takes ${kindType.what}, not ${shown(kind)}`)
  return 'versions' in kind ? { apiVersion: versionOf(kind.group, kind.versions[0].name), kind: kind.kind } : kind
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[]
}

export class KindLookup {
  readonly #connection: Connection
  readonly #found = new Map<string, KindNames>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Rejects with a StatusError 404 for a version, and with an Error for a kind, that the server does not serve. */
  find(apiVersion: string, kind: string): KindNames | Promise<KindNames> {
    const key = keyOf(apiVersion, kind)
    return this.#connection.transport.known(apiVersion, kind) ?? this.#found.get(key) ?? this.#ask(apiVersion, kind)
  }

  /** Looks the kind up again next time: it may be gone, or have another name. */
  forget({ apiVersion, kind }: KindRef): void {
    this.#found.delete(keyOf(apiVersion, kind))
  }

  async #ask(apiVersion: string, kind: string): Promise<KindNames> {
    const { resources } = await this.#connection.ask<ResourceList>({ url: groupPath(apiVersion) })
    // one request tells of all kinds of the version; the first resource of a kind is the kind's
    for (const { name, kind: each, namespaced } of resources.toReversed())
      if (!name.includes('/')) this.#found.set(keyOf(apiVersion, each), { apiVersion, kind: each, resource: name, namespaced })
    const found = this.#found.get(keyOf(apiVersion, kind))
    if (!found) throw new Error(`the server has no kind ${kind} in ${apiVersion}`)
    return found
  }
}

/** The path of a version: `/api/v1`, `/apis/apps/v1`. */
export const groupPath = (apiVersion: string): string =>
  `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`
