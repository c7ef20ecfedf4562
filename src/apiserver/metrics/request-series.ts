/** Describes requests in labels with a bounded number of values: verbs, served resources, existing paths. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { RequestRoute } from '../../apimachinery/request/record.js'

/** The labels that all metrics of requests have. */
export interface RequestLabels {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
  readonly component: string
}

export function labelsOf(context: RequestContext, route: RequestRoute): RequestLabels {
  const { info } = context
  const { group, version, resource, subresource } = route
  const component = info.isResourceRequest ? 'apiserver' : ''
  return {
    verb: verbOf(info, context.header('content-type')),
    group,
    version,
    resource,
    subresource,
    scope: scopeOf(info),
    component
  }
}

export function scopeOf({ isResourceRequest, name, verb, namespace }: RequestContext['info']): string {
  if (!isResourceRequest) return ''
  if (name !== '' || verb === 'create') return 'resource'
  return namespace !== '' ? 'namespace' : 'cluster'
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
  // verbs of non-resource paths
  ['head', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT']
])

const connections: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy'])

export function verbOf(
  { verb, subresource, isResourceRequest }: RequestContext['info'],
  contentType: string | undefined
): string {
  if (isResourceRequest && connections.has(subresource)) return 'CONNECT'
  if (verb === 'patch' && contentType === 'application/apply-patch+yaml') return 'APPLY'
  return verbs.get(verb) ?? 'other'
}

export function dryRunOf(query: URLSearchParams): string {
  if (query.size === 0) return ''
  const values = query.getAll('dryRun')
  return values.length === 0 ? '' : values.every(value => value === 'All') ? 'All' : 'invalid'
}

const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict'])

export function fieldValidationOf(query: URLSearchParams): string {
  if (query.size === 0) return ''
  const values = query.getAll('fieldValidation')
  if (values.length === 0) return ''
  return values.length === 1 && fieldValidations.has(values[0]!) ? values[0]! : 'invalid'
}

/** The paths outside the resources whose requests kube-apiserver counts, and the label that it gives them. */
const countedPaths: ReadonlyMap<string, string> = new Map([
  ['/healthz', '/healthz'],
  ['/livez', '/livez'],
  ['/readyz', '/readyz'],
  ['/openapi/v3', 'openapi/v3']
])

/** Returns what the series of a request is about; undefined for requests that have none. */
export function countedRoute({ info, record }: RequestContext): RequestRoute | undefined {
  const { route } = record
  if (!route || info.isResourceRequest) return route
  const path = countedPaths.get(route.subresource)
  return path === undefined ? undefined : { group: '', version: '', resource: '', subresource: path }
}
