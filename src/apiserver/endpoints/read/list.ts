/** LIST: joins the cached bytes of the objects. */

import { cborList } from '../../../apimachinery/formats/cbor/list.js'
import { joinedBody } from '../../../apimachinery/formats/joined-body.js'
import { type OutputForm, plainJson } from '../../../apimachinery/formats/negotiate.js'
import { isAList, partialList, partialObject } from '../../../apimachinery/formats/partial.js'
import { cachedList } from '../../../apimachinery/formats/protobuf/cached.js'
import { encodedList, mapped } from '../../../apimachinery/formats/streamed-list.js'
import { tableBody, tableInParts, toTable } from '../../../apimachinery/formats/table.js'
import type { BodyPieces, Response } from '../../../apimachinery/request/message.js'
import { AuditLevel } from '../../../apimachinery/request/record.js'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { internalPackage } from '../../../apimachinery/schema/registered.js'
import { badRequest, expired } from '../../../apimachinery/status/status.js'
import type { Resource } from '../../../registry/resource.js'
import { hasUnreadable, type ListedPart, uncachedList, unreadableAmong, unreadableList } from '../../../registry/unreadable.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import { CompactedError } from '../../../storage/contract.js'
import { exactJson } from '../../../util/exact-json.js'
import { sortedJson } from '../../../util/sorted-json.js'
import { type Endpoint, type EndpointRequest, requestedForm } from '../endpoint.js'
import { respondBytes, respondObject } from '../respond.js'
import { watch } from '../watch/watch.js'
import { computedPage } from './computed.js'
import { decodeContinue, encodeContinue } from './continue.js'
import { type ListOptions, listOptions } from './list-options.js'
import { queryPage, sortedStart } from './query-page.js'
import { readVersion, type Version, waitForVersion } from './resource-version.js'
import { type Selection, selectionOf } from './select.js'
import { type ShardInfo, shardsOf } from './shards.js'

export const list: Endpoint = async request => {
  const { context, resource } = request
  if (isTrue(context.query.get('watch'))) return watch(request)
  const form = requestedForm(request)
  const page = resource.kind.computed ? await computedPage(request) : await selectPage(request)
  return respondPage(request, form, page)
}

/** Answers with a list in the requested form. */
export async function respondPage(request: EndpointRequest, form: OutputForm, page: Page): Promise<Response> {
  const { context, resource, server } = request
  const { version } = context.info
  const { transform, transformVersion, mediaType, pretty } = form
  // other lists of Go cannot hold it
  const { shardInfo, ...metadata } = page.metadata
  if (shardInfo && transform === undefined && !resource.kind.custom) Object.assign(metadata, { shardInfo })
  if (transform === 'PartialObjectMetadata') throw isAList(internalList(resource))
  const compact = mediaType === 'application/json' && !pretty
  const options = { context, form, now: server.services.clock.now(), metadata }
  if (transform === 'Table' && compact) return respondBytes(200, mediaType, tableBody(resource, page.objects, options))
  if (transform === undefined) {
    if (compact && version === resource.memoryVersion.name)
      return respondBytes(200, mediaType, wholeList(resource, version, page.objects, metadata))
    if (mediaType === 'application/vnd.kubernetes.protobuf') {
      const response = respondBytes(200, mediaType, await cachedList(resource, version, page.objects, metadata))
      if (context.record.auditLevel < AuditLevel.RequestResponse) return response
      const json = await respondPage(request, plainJson(false), page)
      return { ...response, json: json.body }
    }
  }
  if (transform === 'Table') {
    // an empty list has null or [] in place of its rows
    if (page.objects.length === 0) return respondObject(form, toTable(resource, [], options))
    const { top, rows } = tableInParts(
      resource,
      mapped(page.objects, o => resource.parse(o)),
      options
    )
    return respondBytes(200, mediaType, encodedList(form, top, rows, false, 'rows'))
  }
  const made = (cached: CachedObject) => resource.inVersion(resource.parse(cached), version)
  // an empty list may have null in place of its items
  if (transform && (page.objects.length === 0 || mediaType === 'application/vnd.kubernetes.protobuf'))
    return respondObject(form, partialList(page.objects.map(made), metadata, transformVersion, resource.kind))
  const items = mapped(page.objects, made)
  if (transform) {
    const { items: _, ...top } = partialList([], metadata, transformVersion, resource.kind)
    const partials = mapped(items, object => partialObject(object, transformVersion, resource.kind))
    if (mediaType === 'application/cbor') return respondBytes(200, mediaType, cborList(top, page.objects.length, partials))
    return respondBytes(200, mediaType, encodedList(form, top, partials))
  }
  const top = listTop(resource, version, metadata)
  const sorted = resource.kind.custom !== undefined
  if (page.objects.length === 0) return respondObject(form, { ...top, items: [] }, 200, sorted)
  const shown = sorted ? items : mapped(items, ({ kind: _, apiVersion: __, ...rest }) => rest)
  if (mediaType === 'application/cbor')
    return respondBytes(200, mediaType, cborList(top, page.objects.length, shown, sorted ? undefined : resource.type(version)))
  return respondBytes(200, mediaType, encodedList(form, top, shown, sorted))
}

/** Returns a list without its items. Lists of custom resources always have the field `continue`. */
function listTop(resource: Resource, version: string, metadata: Page['metadata']) {
  return {
    kind: listKind(resource),
    apiVersion: resource.apiVersion(version),
    metadata: resource.kind.custom ? { continue: '', ...metadata } : metadata
  }
}

const listKind = ({ kind }: Resource): string => kind.listKind ?? `${kind.kind}List`

/** Returns the internal Go type of a list, for error messages. */
const internalList = (resource: Resource): string =>
  resource.kind.custom ? 'unstructured.UnstructuredList' : `${internalPackage(resource.group)}.${listKind(resource)}`

/** Joins the cached bytes of the objects into a list, without a conversion. */
function wholeList(resource: Resource, version: string, objects: Page['objects'], metadata: Page['metadata']): BodyPieces {
  const top = listTop(resource, version, metadata)
  if (!resource.kind.custom) return joinedBody(`${exactJson(top).slice(0, -1)},"items":[`, objects, resource.form)
  const { apiVersion, ...rest } = top
  const end = Buffer.from(`],${sortedJson(rest).slice(1)}\n`)
  return joinedBody(`{"apiVersion":${JSON.stringify(apiVersion)},"items":[`, objects, resource.form, { separator: comma, end })
}

const comma = Buffer.from(',')

export interface Page {
  readonly objects: readonly CachedObject[]
  readonly metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number; shardInfo?: ShardInfo }
}

/** Finds the objects that a list's parameters select. */
export async function selectPage(request: EndpointRequest): Promise<Page> {
  const { context, resource } = request
  const { info } = context
  const given = listOptions(context, resource, undefined)
  const shards = shardsOf(given, request.server.services.features)
  const selection = selectionOf(given, shards)
  const prefix = resource.namespaced && info.namespace !== '' ? `${info.namespace}/` : ''
  const { order } = given
  const token = given.continue === '' ? undefined : order ? sortedStart(given) : decodeContinue(given.continue, prefix)
  // kube-apiserver lists in pages what it deletes
  const isPaged = given.limit > 0 || info.verb === 'deletecollection'
  const options = pageOptions(given, isPaged && !isOfOne(resource, selection, prefix))
  const asked = token ? token.revision : options.revision
  if (asked !== undefined && asked > resource.cache.revision) await waitForVersion(request, asked)
  const current = resource.cache.revision
  // the wait has ensured that the version exists, so it fits into a number
  const exact = token || options.exact ? (asked as number | undefined) : undefined
  // resourceVersion=0 asks for whatever is cached, and kube-apiserver's cache ignores its limit
  const ofCache = options.revision === 0 && !resource.kind.storage?.uncached
  const limit = options.limit > 0 && !ofCache ? options.limit : Number.POSITIVE_INFINITY
  let objects: CachedObject[] = []
  const visited: CachedObject[] | undefined = resource.isConverted && options.revision === undefined ? [] : undefined
  let fetched = 0
  let next: string | undefined
  const start = token && 'start' in token ? token.start : prefix
  const { features } = request.server.services
  const isCached = options.revision !== undefined && exact === undefined && !resource.kind.storage?.uncached
  const refuse = (part: ListedPart) => (isCached ? uncachedList(resource, features) : unreadableList(resource, part, features))
  const check = (part: ListedPart) => {
    if (hasUnreadable(resource, isCached ? { prefix: '' } : part)) throw refuse(part)
  }
  try {
    if (exact !== undefined) await resource.cache.history.recall(exact)
    if (order || given.filter) {
      const begin = token && ('start' in token ? token.start : token)
      check({ prefix, revision: exact })
      const found = await queryPage(request, given, selection, { prefix, exact, current, limit, start: begin })
      return shards ? { ...found, metadata: { ...found.metadata, shardInfo: shards.info } } : found
    }
    for (const object of candidates(resource, selection, { prefix, start, exact, limit })) {
      if (objects.length >= limit) {
        next = object.key
        break
      }
      fetched++
      visited?.push(object)
      if (object.problem !== undefined) throw refuse({ prefix, revision: exact })
      if (!selection.matches || selection.matches(object)) objects.push(object)
    }
    const only = isOfOne(resource, selection, prefix) ? prefix + selection.name : undefined
    check(
      only === undefined ? { prefix, start, end: next, revision: exact } : { prefix: only, end: `${only}\0`, revision: exact }
    )
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    if (!token || limit === Number.POSITIVE_INFINITY || !('start' in token))
      throw expired('The resourceVersion for the provided list is too old.')
    throw expired(expiredContinue, encodeContinue(undefined, token.start.slice(prefix.length)))
  }
  resource.cache.counts.countList(indexOf(selection), fetched, objects.length)
  const revision = exact ?? current
  if (visited && (!resource.cache.ready || visited.some(object => resource.mayChange(object))))
    objects = await convertedNow(request, selection, { prefix, start, objects: visited, revision })
  const metadata: Page['metadata'] = { resourceVersion: String(revision) }
  if (next !== undefined) {
    metadata.continue = encodeContinue(revision, next.slice(prefix.length))
    resource.cache.history.keepForNextPage(revision)
    // with a selector of labels or fields, the number of remaining matches is unknown; those of other shards count
    if (!given.labels && given.fields.length === 0) {
      const first = exact === undefined && !token ? undefined : start
      const remaining = resource.cache.history.remaining(revision, prefix, next, fetched, first)
      metadata.remainingItemCount = remaining + fetched - objects.length
    }
  }
  if (shards) metadata.shardInfo = shards.info
  return { objects, metadata }
}

/** Returns the objects as a webhook converts them now. Like kube-apiserver, fails when it cannot convert one of them, also one that is not selected. */
async function convertedNow(
  { resource, server }: EndpointRequest,
  selection: Selection,
  { prefix, start, objects, revision }: { prefix: string; start: string; objects: readonly CachedObject[]; revision: number }
): Promise<CachedObject[]> {
  const { cache } = resource
  const only = isOfOne(resource, selection, prefix) ? prefix + selection.name : undefined
  // a cache that stays behind does not know what there is
  const stored = cache.ready
    ? await cache.listStored(prefix, only ?? start, objects.at(-1)!.key, revision)
    : await cache.listStored(prefix, only ?? start, only)
  const all = Array.from(stored.values())
  if (all.some(({ problem }) => problem !== undefined)) throw unreadableAmong(resource, all, server.services.features)
  const now = cache.ready ? objects.map(object => stored.get(object.key) ?? object) : all
  const { matches } = selection
  return matches ? now.filter(object => matches(object)) : now
}

/** Names the index of a list as kube-apiserver does. Clients choose the names of labels, so these have no name. */
const indexOf = ({ indexed }: ReturnType<typeof selectionOf>): string => (indexed?.of === 'fields' ? `f:${indexed.key}` : '')

interface Range {
  readonly prefix: string
  readonly start: string
  readonly exact: number | undefined
  readonly limit: number
}

/** Whether a list can have no object but one, whose key it names. */
const isOfOne = (resource: Resource, selection: Selection, prefix: string): boolean =>
  selection.name !== undefined && (prefix !== '' || !resource.namespaced)

/** Returns the objects to test against the selection: as few as its name or an index allows. */
function candidates(resource: Resource, selection: Selection, { prefix, start, exact, limit }: Range): Iterable<CachedObject> {
  const { cache } = resource
  if (exact === undefined && start === prefix) {
    if (isOfOne(resource, selection, prefix)) {
      const only = cache.get(prefix + selection.name)
      return only ? [only] : []
    }
    const { indexed } = selection
    // what a webhook converts is all converted, and may then have other labels
    const found = indexed && !resource.isConverted && cache.by(indexed.of, indexed.key, indexed.value, prefix)
    // a full page has to tell whether more keys follow, which the index does not know
    if (found && found.length < limit) return found
  }
  return cache.range(prefix, start, exact)
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

interface PageOptions {
  readonly limit: number
  readonly revision: Version | undefined
  readonly exact: boolean
}

function pageOptions(
  { limit, resourceVersion: version, resourceVersionMatch: match, continue: token }: ListOptions,
  isPaged: boolean
): PageOptions {
  if (token !== '' && version !== '' && version !== '0')
    throw badRequest('specifying resource version is not allowed when using continue')
  const revision = version === '' ? undefined : readVersion(version)
  if (typeof revision === 'string') throw badRequest(`invalid resource version: ${revision}`)
  // a page is of the exact version, unless there can be only one object anyway
  const legacyExact = match === '' && isPaged && revision !== undefined && revision > 0
  return { limit, revision, exact: match === 'Exact' || legacyExact }
}
