/** LIST: the cached bytes of the objects, joined. */
import { joinedBody } from '../formats/joined-body.js'
import { checkEncodable, type OutputForm } from '../formats/negotiate.js'
import { isAList, partialList } from '../formats/partial.js'
import { cachedList } from '../formats/protobuf/cached.js'
import { tableBody, toTable } from '../formats/table.js'
import type { Resource } from '../registry/resource.js'
import type { RequestContext, Response } from '../server/context.js'
import { isTrue } from '../server/request-info.js'
import { badRequest, expired, plainError } from '../server/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import { CompactedError } from '../storage/contract.js'
import { FieldErrors } from '../validation/field.js'
import { decodeContinue, encodeContinue } from './continue.js'
import { internalPackage } from './decode-object.js'
import type { Endpoint, EndpointRequest } from './endpoint.js'
import { invalidListOptions } from './options.js'
import { invalidVersion, isVersion, parseResourceVersion } from './resource-version.js'
import { outputForm, respondBytes, respondObject } from './respond.js'
import { parseSelection, type Selection } from './select.js'
import { watch } from './watch.js'

export const list: Endpoint = async request => {
  const { context, resource } = request
  if (context.info.verb === 'watch' || isTrue(context.query.get('watch'))) return watch(request)
  const form = outputForm(context, { transforms: true, collection: true })
  return respondPage(request, form, await selectPage(context, resource))
}

/** A list in the form that was asked for. */
export async function respondPage(
  { context, resource, services }: EndpointRequest,
  form: OutputForm,
  page: Page
): Promise<Response> {
  const { version } = context.info
  const { metadata } = page
  const { transform, transformVersion, mediaType, pretty } = form
  checkEncodable(form, resource.kind.custom !== undefined, 'UnstructuredList')
  if (transform === 'PartialObjectMetadata') throw isAList(`${internalPackage(resource.group)}.${listKind(resource)}`)
  const compact = mediaType === 'application/json' && !pretty
  const options = { context, form, now: services.clock.now(), metadata }
  if (transform === 'Table' && compact) return respondBytes(200, mediaType, tableBody(resource, page.objects, options))
  if (transform === undefined) {
    if (compact && version === resource.memoryVersion.name)
      return respondBytes(200, mediaType, joinedBody(listHead(resource, version, metadata), page.objects, resource.form))
    if (mediaType === 'application/vnd.kubernetes.protobuf')
      return respondBytes(200, mediaType, await cachedList(resource, version, page.objects, metadata))
  }
  const objects = page.objects.map(o => resource.inVersion(resource.parse(o), version))
  if (transform === 'Table') return respondObject(form, toTable(resource, objects, options))
  if (transform) return respondObject(form, partialList(objects, metadata, transformVersion))
  const items = resource.kind.custom ? objects : objects.map(({ kind: _, apiVersion: __, ...rest }) => rest)
  return respondObject(form, { ...listTop(resource, version, metadata), items })
}

/** All of a list but its items. Lists of custom resources always say whether they go on. */
function listTop(resource: Resource, version: string, metadata: Page['metadata']) {
  return {
    kind: listKind(resource),
    apiVersion: resource.apiVersion(version),
    metadata: resource.kind.custom ? { continue: '', ...metadata } : metadata
  }
}

const listKind = ({ kind }: Resource): string => kind.listKind ?? `${kind.kind}List`

const listHead = (resource: Resource, version: string, metadata: Page['metadata']): string =>
  `${JSON.stringify(listTop(resource, version, metadata)).slice(0, -1)},"items":[`

export interface Page {
  readonly objects: readonly CachedObject[]
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
}

/** The objects that a list's parameters ask for. */
export async function selectPage(context: RequestContext, resource: Resource): Promise<Page> {
  const { query, info } = context
  const selection = parseSelection(query, resource)
  const options = listOptions(query)
  const prefix = resource.namespaced && info.namespace !== '' ? `${info.namespace}/` : ''
  const token = options.continue === '' ? undefined : decodeContinue(options.continue, prefix)
  const asked = token ? token.revision : options.revision
  if (asked !== undefined && asked > resource.cache.revision) await parseResourceVersion.waitFor(resource, asked)
  const current = resource.cache.revision
  const exact = token ? token.revision : options.exact ? options.revision : undefined
  // resourceVersion=0 asks for whatever is at hand: there the limit does not count
  const limit = options.limit > 0 && options.revision !== 0 ? options.limit : Number.POSITIVE_INFINITY
  const objects: CachedObject[] = []
  let next: string | undefined
  try {
    if (exact !== undefined) await resource.cache.recall(exact)
    const start = token ? token.start : prefix
    for (const object of candidates(resource, selection, { prefix, start, exact, limit })) {
      if (objects.length >= limit) {
        next = object.key
        break
      }
      if (object.problem !== undefined) throw plainError(object.problem)
      if (!selection.matches || selection.matches(object)) objects.push(object)
    }
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    if (!token || limit === Number.POSITIVE_INFINITY) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(expiredContinue, encodeContinue(undefined, token.start.slice(prefix.length)))
  }
  const revision = exact ?? current
  const metadata: Page['metadata'] = { resourceVersion: String(revision) }
  if (next !== undefined) {
    metadata.continue = encodeContinue(revision, next.slice(prefix.length))
    const remaining = resource.cache.keepForNextPage(
      revision,
      prefix,
      next,
      exact === undefined && !token ? objects.length : undefined
    )
    if (!selection.matches) metadata.remainingItemCount = remaining
  }
  return { objects, metadata }
}

interface Range {
  readonly prefix: string
  readonly start: string
  readonly exact: number | undefined
  readonly limit: number
}

/** The objects that have to be looked at: as few as the selection allows. */
function candidates(resource: Resource, selection: Selection, { prefix, start, exact, limit }: Range): Iterable<CachedObject> {
  const { cache } = resource
  if (exact === undefined && start === prefix) {
    if (selection.name !== undefined && (prefix !== '' || !resource.namespaced)) {
      const only = cache.get(prefix + selection.name)
      return only ? [only] : []
    }
    const { indexed } = selection
    const found = indexed && cache.by(indexed.of, indexed.key, indexed.value, prefix)
    // a full page says whether any key follows, which the index does not know
    if (found && found.length < limit) return found
  }
  return cache.range(prefix, start, exact)
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

interface ListOptions {
  readonly limit: number
  readonly continue: string
  readonly revision: number | undefined
  readonly exact: boolean
}

function listOptions(query: URLSearchParams): ListOptions {
  if (query.size === 0) return { limit: 0, continue: '', revision: undefined, exact: false }
  const limit = integer(query, 'limit')
  integer(query, 'timeoutSeconds')
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const token = query.get('continue') ?? ''
  const errors = new FieldErrors()
  if (match !== '') {
    if (token !== '') errors.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
    if (version === '')
      errors.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''])
    if (match === 'Exact' && version === '0')
      errors.forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  if (errors.any) throw invalidListOptions(errors)
  if (version !== '' && !isVersion(version)) throw badRequest(`invalid resource version: ${invalidVersion(version)}`)
  if (token !== '' && version !== '' && version !== '0')
    throw badRequest('specifying resource version is not allowed when using continue')
  const revision = version === '' ? undefined : Number(version)
  return {
    limit,
    continue: token,
    revision,
    exact: match === 'Exact' || (match === '' && limit > 0 && revision !== undefined && revision > 0)
  }
}

function integer(query: URLSearchParams, name: string): number {
  const text = query.get(name)
  if (text === null || text === '') return 0
  if (!/^-?\d{1,19}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}
