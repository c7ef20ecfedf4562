/** ListOptions: the parameters of list, watch and deletecollection, validated in kube-apiserver's order. */
import type { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { queryInteger } from '../../../apimachinery/request/query-integer.js'
import { filterParameter, orderParameter } from '../../../apimachinery/request/query-parameters.js'
import { isTrue, type RequestInfo } from '../../../apimachinery/request/request-info.js'
import type { FieldRequirement } from '../../../apimachinery/selectors/fields.js'
import { type ParsedSelector, selectorOf } from '../../../apimachinery/selectors/labels.js'
import { SelectorError } from '../../../apimachinery/selectors/limits.js'
import { sentFields, sentLabels } from '../../../apimachinery/selectors/sent.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { type Filter, filterOf } from '../../../registry/query/filter.js'
import { type Order, orderOf } from '../../../registry/query/order.js'
import type { Resource } from '../../../registry/resource.js'
import { checkFields } from './select.js'

export interface ListOptions {
  readonly labels: ParsedSelector | undefined
  readonly fields: readonly FieldRequirement[]
  readonly allowWatchBookmarks: boolean
  /** As the client sent it: it is validated when it is used. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly timeoutSeconds: number
  readonly limit: number
  readonly continue: string
  readonly sendInitialEvents: boolean | undefined
  /** As the client sent it: it is read where the gate ShardedListAndWatch is on. */
  readonly shardSelector: string
  /** An expression that selects objects (docs/queries.md). */
  readonly filter?: Filter | undefined
  /** The order of the list; undefined for that of the keys. */
  readonly order?: Order | undefined
}

const none: ListOptions = {
  labels: undefined,
  fields: [],
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: 0,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
  shardSelector: ''
}

/**
 * Reads the options. `watching` has the gates that decide how a watch begins; undefined for other requests. Throws 400 for malformed
 * values and unsupported field selectors, 422 for invalid combinations.
 */
export function listOptions(
  { query, info }: Pick<RequestContext, 'query' | 'info'>,
  resource: Resource,
  watching: FeatureGates | undefined
): ListOptions {
  if (query.size === 0) return none
  const timeoutSeconds = queryInteger(query, 'timeoutSeconds') ?? 0
  const limit = queryInteger(query, 'limit') ?? 0
  const initial = query.get('sendInitialEvents')
  const given: ListOptions = {
    ...selectors(query, info),
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds,
    limit,
    continue: query.get('continue') ?? '',
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    shardSelector: query.get('shardSelector') ?? ''
  }
  const options = watching?.enabled('WatchList') ? withWatchDefaults(given) : given
  const errors = new FieldErrors(watching)
  if (watching) validateWatch(options, errors)
  else validateList(options, errors)
  if (errors.any) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
  checkFields(options.fields, resource, info.version)
  return isQuery(query) ? { ...options, ...queryOptions(query, resource, info.version) } : options
}

const isQuery = (query: URLSearchParams) => query.has(filterParameter) || query.has(orderParameter)

function queryOptions(query: URLSearchParams, resource: Resource, version: string): Pick<ListOptions, 'filter' | 'order'> {
  const filter = query.get(filterParameter) ?? ''
  const order = query.get(orderParameter) ?? ''
  return {
    filter: filter === '' ? undefined : filterOf(resource, version, filter),
    order: order === '' ? undefined : orderOf(resource, version, order)
  }
}

/** A watch without a version, or from version 0, begins with the present objects, as if it asked for them (KEP-3157). */
function withWatchDefaults(given: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = given
  const anyVersion = resourceVersion === '' || resourceVersion === '0'
  if (!anyVersion || resourceVersionMatch !== '' || sendInitialEvents !== undefined) return given
  return { ...given, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true }
}

function selectors(query: URLSearchParams, info: RequestInfo): Pick<ListOptions, 'labels' | 'fields'> {
  // a request whose path has a name is not authorized by its selectors
  const labels = info.labelSelector ?? sentLabels(query.get('labelSelector'))
  const fields = info.fieldSelector ?? sentFields(query.get('fieldSelector'))
  try {
    return { labels: labels && selectorOf(labels.requirements), fields: fields?.requirements ?? [] }
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error
  }
}

const at = 'resourceVersionMatch'
const withContinue = 'resourceVersionMatch is forbidden when continue is provided'

function validateList(options: ListOptions, errors: FieldErrors): void {
  const { resourceVersion: version, resourceVersionMatch: match } = options
  if (match !== '') {
    if (version === '') errors.forbidden(at, 'resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (options.continue !== '') errors.forbidden(at, withContinue)
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.notSupported(at, match, ['Exact', 'NotOlderThan', ''])
    if (match === 'Exact' && version === '0')
      errors.forbidden(at, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  if (options.sendInitialEvents !== undefined) errors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')
}

const gateIsOff = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'

/** Requires resourceVersionMatch and sendInitialEvents to come together (KEP-3157). */
function validateWatch(options: ListOptions, errors: FieldErrors): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.forbidden(at, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  if (sendInitialEvents !== undefined && !errors.enabled('WatchList')) errors.forbidden('sendInitialEvents', gateIsOff)
  if (match === '') return
  if (sendInitialEvents === undefined)
    errors.forbidden(at, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
  if (match !== 'NotOlderThan') errors.notSupported(at, match, ['NotOlderThan'])
  if (options.continue !== '') errors.forbidden(at, withContinue)
}
