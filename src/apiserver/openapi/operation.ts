/** Operations in a form from which both OpenAPI versions are written. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: 'string' | 'boolean' | 'integer'
  /** The owner of the parameter, if parameters of others have the same name but another meaning. */
  readonly of?: string
}

export interface Operation {
  readonly method: Method
  readonly id: string
  readonly description: string
  readonly tag: string
  readonly action?: string
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string }
  readonly parameters: readonly Parameter[]
  /** The type of the body, and the media types it comes in. */
  readonly body?: { readonly type: string; readonly mediaTypes: readonly string[]; readonly required: boolean }
  /** Status code → type; undefined when the answer is not an object. */
  readonly responses: Readonly<Record<number, string | undefined>>
  readonly produces: readonly string[]
  /** The `consumes` of an operation without a body in v2. Default: any type; an explicit undefined omits the field. */
  readonly consumes?: readonly string[] | undefined
}

export interface PathItem {
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly operations: readonly Operation[]
}

export const query = (names: string, of?: string): Parameter[] =>
  names.split(' ').map(name => ({ name, in: 'query', type: queryTypes[name] ?? 'string', ...(of === undefined ? {} : { of }) }))

/** The path parameter for the name of an object of a kind. */
export const nameOf = (kind: string): Parameter => ({ name: 'name', in: 'path', type: 'string', of: kind })
const queryTypes: Record<string, Parameter['type']> = {
  allowWatchBookmarks: 'boolean',
  limit: 'integer',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  force: 'boolean',
  stdin: 'boolean',
  stdout: 'boolean',
  stderr: 'boolean',
  tty: 'boolean',
  follow: 'boolean',
  previous: 'boolean',
  timestamps: 'boolean',
  insecureSkipTLSVerifyBackend: 'boolean',
  limitBytes: 'integer',
  sinceSeconds: 'integer',
  tailLines: 'integer',
  ports: 'integer'
}

const selection =
  'continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch sendInitialEvents shardSelector timeoutSeconds'
export const listParameters = query(`allowWatchBookmarks ${selection} watch`)

export const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "apps_v1", "rbacAuthorization_v1": the tag of a group version's operations. */
export const tagOf = (group: string, version: string): string => `${tagOfGroup(group)}_${version}`

/** Removes other characters than letters and digits, and makes the letter after them a capital. No tag begins with a digit. */
export const tagOfGroup = (group: string): string =>
  (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''))
    .replace(/^\d/, '-')
    .replace(/[^a-z\d]+(.?)/gi, (_, next: string) => next.toUpperCase())

export const idOfGroup = (group: string): string => upper(tagOfGroup(group))

/** The media types of Kubernetes' own API. */
export const plain: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** "AppsV1", "CoreV1": the part of operation ids after the verb. */
export const idPrefix = (group: string, version: string) => tagOf(group, version).split('_').map(upper).join('')

export function groupPrefix(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

/** Moves the parameters that all operations of a path have to the path. */
export function hoisted(item: PathItem): PathItem {
  const [first, ...others] = item.operations
  const common = first!.parameters.filter(p => others.every(o => o.parameters.includes(p)))
  if (common.length === 0) return item
  return {
    path: item.path,
    parameters: [...item.parameters, ...common].sort(byName),
    operations: item.operations.map(o => ({ ...o, parameters: o.parameters.filter(p => !common.includes(p)) }))
  }
}

export const byName = (a: Parameter, b: Parameter) => (a.name < b.name ? -1 : 1)
/** "a Pod", "an Ingress", "Endpoints" */
export const withArticle = (kind: string): string =>
  /[^s]s$/.test(kind) ? kind : `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`
