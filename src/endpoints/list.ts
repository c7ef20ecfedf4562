/** LIST: the cached bytes of the objects, joined. */
import { joinedBody } from '../formats/joined-body.js'
import { partialObject } from '../formats/partial.js'
import { tableBody, toTable } from '../formats/table.js'
import type { OutputForm } from '../formats/negotiate.js'
import type { Resource } from '../registry/resource.js'
import { isTrue } from '../server/request-info.js'
import type { RequestContext } from '../server/context.js'
import { badRequest, expired } from '../server/status.js'
import { CompactedError } from '../storage/contract.js'
import type { CachedObject } from '../storage/watch-cache.js'
import { FieldErrors } from '../validation/field.js'
import type { Endpoint } from './endpoint.js'
import { decodeContinue, encodeContinue } from './continue.js'
import { invalidListOptions } from './options.js'
import { invalidVersion, isVersion, parseResourceVersion } from './resource-version.js'
import { outputForm, respondObject } from './respond.js'
import { parseSelection, type Selection } from './select.js'
import { watch } from './watch.js'

const transforms = ['Table', 'PartialObjectMetadataList'] as const

export const list: Endpoint = async request => {
  const { context, resource, services } = request
  if (context.info.verb === 'watch' || isTrue(context.query.get('watch'))) return watch(request)
  const form = outputForm(context, { transforms, collection: true })
  const page = await selectPage(context, resource)
  const { version } = context.info
  if (form.transform === undefined && form.mediaType === 'application/json' && !form.pretty && version === resource.storageVersion.name) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: joinedBody(listHead(resource, version, page.metadata), page.objects, resource.form) }
  }
  const options = { context, form, now: services.clock.now(), metadata: page.metadata }
  if (form.transform === 'Table' && form.mediaType === 'application/json' && !form.pretty) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: tableBody(resource, page.objects, options) }
  }
  const objects = page.objects.map(o => resource.inVersion(resource.parse(o), version))
  return respondObject(form, form.transform === 'Table' ? toTable(resource, objects, options) : converted(objects, context, resource, form, page))
}

function listHead(resource: Resource, version: string, metadata: Page['metadata']): string {
  return `{"kind":"${resource.kind.kind}List","apiVersion":${JSON.stringify(resource.apiVersion(version))},"metadata":${JSON.stringify(metadata)},"items":[`
}

function converted(objects: any[], context: RequestContext, resource: Resource, form: OutputForm, page: Page): unknown {
  const { version } = context.info
  if (form.transform) {
    const items = objects.map(o => partialObject(o, form.transformVersion))
    return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.transformVersion}`, metadata: page.metadata, items: items.length > 0 ? items : null }
  }
  const items = objects.map(({ kind: _, apiVersion: __, ...rest }) => rest)
  return { kind: `${resource.kind.kind}List`, apiVersion: resource.apiVersion(version), metadata: page.metadata, items }
}

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
  const current = await resource.cache.currentRevision()
  const token = options.continue === '' ? undefined : decodeContinue(options.continue, prefix)
  const asked = token ? token.revision : options.revision
  if (asked !== undefined && asked > current) await parseResourceVersion.waitFor(resource, asked)
  const exact = token ? token.revision : options.exact ? options.revision : undefined
  // resourceVersion=0 asks for whatever is at hand: there the limit does not count
  const limit = options.limit > 0 && options.revision !== 0 ? options.limit : Number.POSITIVE_INFINITY
  const objects: CachedObject[] = []
  let next: string | undefined
  try {
    const start = token ? token.start : prefix
    for (const object of candidates(resource, selection, prefix, start, exact)) {
      if (objects.length >= limit) {
        next = object.key
        break
      }
      if (!selection.matches || selection.matches(object)) objects.push(object)
    }
  } catch (error) {
    if (error instanceof CompactedError) throw expired(token ? expiredContinue : `too old resource version: ${exact} (${error.compactRevision})`)
    throw error
  }
  const revision = exact ?? current
  const metadata: Page['metadata'] = { resourceVersion: String(revision) }
  if (next !== undefined) {
    metadata.continue = encodeContinue(revision, next.slice(prefix.length))
    const remaining = resource.cache.keepForNextPage(revision, prefix, next, exact === undefined ? objects.length : undefined)
    if (!selection.matches) metadata.remainingItemCount = remaining
  }
  return { objects, metadata }
}

/** The objects that have to be looked at: as few as the selection allows. */
function candidates(resource: Resource, selection: Selection, prefix: string, start: string, exact: number | undefined): Iterable<CachedObject> {
  const { cache } = resource
  if (exact === undefined && start === prefix) {
    if (selection.name !== undefined && (prefix !== '' || !resource.namespaced)) {
      const only = cache.get(prefix + selection.name)
      return only ? [only] : []
    }
    if (selection.label) return cache.byLabel(selection.label.key, selection.label.value, prefix)
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
    if (version === '') errors.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''])
    if (match === 'Exact' && version === '0') errors.forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  if (errors.any) throw invalidListOptions(errors)
  if (version !== '' && !isVersion(version)) throw badRequest(`invalid resource version: ${invalidVersion(version)}`)
  if (token !== '' && version !== '' && version !== '0') throw badRequest('specifying resource version is not allowed when using continue')
  const revision = version === '' ? undefined : Number(version)
  return { limit, continue: token, revision, exact: match === 'Exact' || (match === '' && limit > 0 && revision !== undefined && revision > 0) }
}

function integer(query: URLSearchParams, name: string): number {
  const text = query.get(name)
  if (text === null || text === '') return 0
  if (!/^-?\d{1,19}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}
