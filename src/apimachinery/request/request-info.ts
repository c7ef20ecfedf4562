/** What a request is about, read from its method and path (k8s.io/apiserver's RequestInfo). */
import { type SentFieldSelector, type SentLabelSelector, sentFields, sentLabels } from '../selectors/sent.js'
import { isPathSegmentName } from '../validation/names.js'

export interface RequestInfo {
  /** Whether the path below /api or /apis names resources, as opposed to discovery, health and the like. */
  readonly isResourceRequest: boolean
  readonly path: string
  /**
   * What is authorized and carried out: get, list, watch, create, update, patch, delete, deletecollection; '' for a method that has
   * no verb, `watch` and `proxy` below the deprecated prefixes whatever the method. Elsewhere the lower-cased method.
   */
  readonly verb: string
  /** Whether the path itself names the verb: /api/v1/watch/pods. */
  readonly verbInPath: boolean
  readonly apiPrefix: string
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  /** The field selector of a list, watch or deletecollection, if it has one. */
  readonly fieldSelector: SentFieldSelector | undefined
  /** The label selector of a list, watch or deletecollection, if it has one. */
  readonly labelSelector: SentLabelSelector | undefined
  /** The path's segments from the resource on. */
  readonly parts: readonly string[]
}

const methodVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete']
])
/** Verbs that a path may begin with, by way of the deprecated prefixes. */
const pathVerbs: ReadonlySet<string> = new Set(['watch', 'proxy'])
const noParts: readonly string[] = []

/** The path begins like that of a resource and ends before it names one. kube-apiserver answers this with a 500 in plain text. */
export class UnreadablePathError extends Error {
  constructor() {
    super('unable to determine kind and namespace from url')
  }
}

/** Segments after a namespace's name that belong to the Namespace itself. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    verbInPath: false,
    apiPrefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    fieldSelector: undefined,
    labelSelector: undefined,
    parts: noParts
  }
}

/** Whether a value means true. As Kubernetes converts booleans, any `watch` but false and 0 asks for a watch. */
export function isTrue(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '0' && value.toLowerCase() !== 'false'
}

/** Decodes a path, in which an encoded slash counts as a slash. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Returns the first name that a selector asks for, if it could be one. What is wrong with a selector is for the endpoint to say.
 */
function selectedName(selector: SentFieldSelector): string {
  const name = selector.readable?.find(r => r.field === 'metadata.name' && r.operator === '=')?.value ?? ''
  return isPathSegmentName(name).length === 0 ? name : ''
}

export function parseRequestInfo(method: string, encodedPath: string, query: URLSearchParams): RequestInfo {
  const path = decodePath(encodedPath)
  const segments = path.slice(1).split('/')
  while (segments.at(-1) === '') segments.pop()
  const prefix = segments[0]
  const core = prefix === 'api'
  if (segments.length < (core ? 3 : 4) || (!core && prefix !== 'apis')) return nonResource(method, path)
  const group = core ? '' : segments[1]!
  const version = core ? segments[1]! : segments[2]!
  let parts = segments.slice(core ? 2 : 3)
  let verb = methodVerbs.get(method) ?? ''
  let fieldSelector: SentFieldSelector | undefined
  let labelSelector: SentLabelSelector | undefined
  const verbInPath = pathVerbs.has(parts[0]!)
  if (verbInPath) {
    if (parts.length < 2) throw new UnreadablePathError()
    verb = parts[0]!
    parts = parts.slice(1)
  }
  let namespace = ''
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1]!
    if (parts.length > 2 && !namespaceSubresources.has(parts[2]!)) parts = parts.slice(2)
  }
  const [resource = '', name = ''] = parts
  const subresource = verb === 'proxy' ? '' : (parts[2] ?? '')
  let finalName = name
  if (name === '' && verb === 'get') {
    verb = isTrue(query.get('watch')) ? 'watch' : 'list'
    // a metadata.name field selector on list or watch names the object for authorization
    fieldSelector = sentFields(query.get('fieldSelector'))
    labelSelector = sentLabels(query.get('labelSelector'))
    if (fieldSelector?.text.includes('metadata.name')) finalName = selectedName(fieldSelector)
  } else if (name === '' && verb === 'delete') {
    verb = 'deletecollection'
    fieldSelector = sentFields(query.get('fieldSelector'))
    labelSelector = sentLabels(query.get('labelSelector'))
  }
  return {
    isResourceRequest: true,
    path,
    verb,
    verbInPath,
    apiPrefix: prefix!,
    group,
    version,
    namespace,
    resource,
    subresource,
    name: finalName,
    fieldSelector,
    labelSelector,
    parts
  }
}
