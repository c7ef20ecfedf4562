/** Reads the entries of a set, and makes for each of them the request for its object. */
import { parseBody } from '../../apimachinery/formats/body.js'
import { SyntaxFailure } from '../../apimachinery/formats/body-format.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { badRequest, StatusError } from '../../apimachinery/status/status.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { exactJson } from '../../util/exact-json.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { suggest } from '../../util/suggest.js'

/** The most bytes of a set, the same as for any other request. */
export const maxSetBytes = 3 * 1024 * 1024
/** The most objects of a set. */
export const maxEntries = 1000

export const operations = ['apply', 'create', 'update', 'patch', 'delete'] as const
export type SetOperation = (typeof operations)[number]

export const patchTypes: Readonly<Record<string, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json'
}

export interface SetEntry {
  /** The place of the entry in the body: `items[3]`, `entries[3]`. */
  readonly field: string
  readonly operation: SetOperation
  readonly object: JsonObject
  readonly subresource: string
  readonly patch: unknown
  readonly patchType: string
  /** The DeleteOptions. */
  readonly options: JsonObject
}

export const setVersion = 'binnacle.dev/v1'
const expectedBody = `the body must be a List of objects to apply (apiVersion v1), or a Set (apiVersion ${setVersion}) with entries`

/** Reads the body: a List, whose items are applied, or a Set. Throws a StatusError. */
export async function readEntries(context: RequestContext, body: Buffer): Promise<SetEntry[]> {
  const value = await readBody(context, body)
  if (!isObject(value)) throw badRequest(expectedBody)
  const { apiVersion, kind, metadata: _, ...rest } = value
  const isList = apiVersion === 'v1' && kind === 'List'
  if (!isList && (apiVersion !== setVersion || kind !== 'Set')) throw badRequest(expectedBody)
  const name = isList ? 'items' : 'entries'
  checkFields('', rest, [name])
  const list = rest[name]
  if (!Array.isArray(list) || list.length === 0) throw badRequest(`${name}: must be a list that is not empty`)
  if (list.length > maxEntries)
    throw badRequest(`${name}: a set has at most ${maxEntries} objects, and this one has ${list.length}`)
  return list.map((item, i) => {
    const field = `${name}[${i}]`
    return isList ? readEntry(field, { object: item }) : readEntry(field, item)
  })
}

async function readBody(context: RequestContext, body: Buffer): Promise<unknown> {
  try {
    const { value, hasDuplicates, yamlDuplicates } = await parseBody(
      context.header('content-type'),
      body,
      false,
      false,
      context.user.name
    )
    if (hasDuplicates || yamlDuplicates.length > 0) throw badRequest('the body has an object in which a field stands twice')
    return value
  } catch (error) {
    throw error instanceof SyntaxFailure ? badRequest(error.message) : error
  }
}

export const entryFields = ['operation', 'object', 'subresource', 'patch', 'patchType', 'options']

/** Reads one entry. `field` is its place in errors. Throws a StatusError. */
export function readEntry(field: string, given: unknown): SetEntry {
  if (!isObject(given)) throw badRequest(`${field}: must be an object`)
  checkFields(`${field}.`, given, entryFields)
  const { operation = 'apply', object, subresource = '', patch, patchType = 'merge', options = {} } = given
  const wrong = (name: string, why: string) => badRequest(`${field}.${name}: ${why}`)
  if (!operations.includes(operation as SetOperation)) throw wrong('operation', `must be one of ${operations.join(', ')}`)
  if (!isObject(object)) throw wrong('object', 'must be an object')
  if (subresource !== '' && subresource !== 'status') throw wrong('subresource', 'must be status, or left out')
  if (subresource !== '' && (operation === 'create' || operation === 'delete'))
    throw wrong('subresource', `cannot be used with ${operation}`)
  if (typeof patchType !== 'string' || !Object.hasOwn(patchTypes, patchType))
    throw wrong('patchType', `must be one of ${Object.keys(patchTypes).join(', ')}`)
  if ((operation === 'patch') !== (patch !== undefined))
    throw wrong('patch', operation === 'patch' ? 'is required' : `cannot be used with ${operation}`)
  if (!isObject(options)) throw wrong('options', 'must be an object')
  return { field, operation: operation as SetOperation, object, subresource, patch, patchType, options }
}

function checkFields(before: string, given: JsonObject, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const near = suggest(name, known)
    throw badRequest(`${before}${name}: unknown field${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
}

/** The request for the object of an entry. */
export interface EntryRequest {
  readonly method: string
  readonly url: string
  readonly contentType: string
  readonly body: Buffer
  /** The object that the entry writes; undefined while the server has not made its name yet. */
  readonly target: string | undefined
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Finds the resources of kinds, and remembers them, because a set may have many entries. */
export class KindResources {
  readonly #found = new Map<string, Resource>()

  constructor(registry: Registry) {
    for (const resource of registry.served()) {
      if (resource.kind.virtual) continue
      for (const version of resource.versions.keys())
        this.#found.set(`${resource.group === '' ? '' : `${resource.group}/`}${version} ${resource.kind.kind}`, resource)
    }
  }

  find(apiVersion: string, kind: string): Resource | undefined {
    return this.#found.get(`${apiVersion} ${kind}`)
  }
}

/** Returns the request of an entry. `query` is that of the set; its namespace is that of objects that name none. Throws a StatusError. */
export function entryRequest(
  entry: SetEntry,
  kinds: KindResources,
  query: URLSearchParams,
  defined: ReadonlySet<string>
): EntryRequest {
  const { operation, object, subresource } = entry
  const apiVersion = text(object.apiVersion)
  const kind = text(object.kind)
  const resource = kinds.find(apiVersion, kind)
  if (!resource) throw noSuchKind(apiVersion, kind, defined)
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const namespace = text(metadata.namespace) || (query.get('namespace') ?? '')
  const name = text(metadata.name)
  if (resource.namespaced && namespace === '')
    throw badRequest(`${kind} ${JSON.stringify(name)}: metadata.namespace is required, as the request has no parameter namespace`)
  if (name === '' && (operation !== 'create' || text(metadata.generateName) === ''))
    throw badRequest(`${kind}: metadata.name is required`)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const root = resource.group === '' ? `/api/${version}` : `/apis/${resource.group}/${version}`
  const place = resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  const collection = `${root}${place}/${resource.resource}`
  const one = `${collection}/${encodeURIComponent(name)}${subresource === '' ? '' : `/${subresource}`}`
  const options = optionsOf(query, operation)
  // the versions of a resource have the same keys
  const target = name === '' ? undefined : `${resource.prefix}${resource.key(namespace, name)}`
  const json = (value: unknown) => Buffer.from(exactJson(value))
  const common = { contentType: 'application/json', target }
  switch (operation) {
    case 'apply':
      return { ...common, method: 'PATCH', url: one + options, contentType: 'application/apply-patch+yaml', body: json(object) }
    case 'create':
      return { ...common, method: 'POST', url: collection + options, body: json(object) }
    case 'update':
      return { ...common, method: 'PUT', url: one + options, body: json(object) }
    case 'patch':
      return {
        ...common,
        method: 'PATCH',
        url: one + options,
        contentType: patchTypes[entry.patchType]!,
        body: json(entry.patch)
      }
    case 'delete':
      return { ...common, method: 'DELETE', url: one, body: json(deleteOptions(entry, query, metadata)) }
  }
}

function optionsOf(query: URLSearchParams, operation: SetOperation): string {
  const own = new URLSearchParams()
  for (const name of ['dryRun', 'fieldManager', 'fieldValidation'])
    for (const value of query.getAll(name)) own.append(name, value)
  const force = query.get('force')
  if (force !== null && operation === 'apply') own.set('force', force)
  return own.size === 0 ? '' : `?${own}`
}

/** Makes the options of a delete: the object's own uid and resourceVersion are preconditions. */
function deleteOptions({ options }: SetEntry, query: URLSearchParams, metadata: JsonObject): JsonObject {
  const { uid, resourceVersion } = metadata
  const own = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) }
  const dryRun = query.getAll('dryRun')
  return {
    ...(Object.keys(own).length === 0 ? {} : { preconditions: own }),
    ...options,
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(dryRun.length === 0 ? {} : { dryRun })
  }
}

function noSuchKind(apiVersion: string, kind: string, defined: ReadonlySet<string>): StatusError {
  const why = defined.has(`${apiVersion} ${kind}`)
    ? `: the set has its CustomResourceDefinition, and a kind can be used only after its definition is established. Apply the definition first, then a set of its objects`
    : ''
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}${why}`,
    reason: 'NotFound',
    code: 404
  })
}

/** Returns the kinds that definitions in the set define, such as `example.com/v1 Course`. */
export function definedKinds(entries: readonly SetEntry[]): ReadonlySet<string> {
  const kinds = new Set<string>()
  for (const { object } of entries) {
    if (object.kind !== 'CustomResourceDefinition' || !isObject(object.spec)) continue
    const { group, names, versions } = object.spec as Record<string, any>
    if (!Array.isArray(versions)) continue
    for (const version of versions) kinds.add(`${group}/${version?.name} ${names?.kind}`)
  }
  return kinds
}
