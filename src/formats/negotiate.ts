/** Which form an answer takes (https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources). */
import { notAcceptable } from '../status/status.js'
import { type Clause, covers, parseAccept } from './accept.js'

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf'

/** What the body holds instead of the object itself. */
export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

export interface OutputForm {
  readonly mediaType: MediaType
  readonly transform: Transform | undefined
  /** "v1" or "v1beta1" of meta.k8s.io */
  readonly transformVersion: string
  readonly pretty: boolean
}

const offered: readonly MediaType[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
/** What bodies come in, in the order in which errors name them. */
export const bodyMediaTypes: readonly string[] = offered
export const streamMediaTypes: readonly string[] = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch'
]
const transforms: readonly Transform[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']

const cache = new Map<string, Clause[]>()

function clausesOf(header: string): Clause[] {
  let clauses = cache.get(header)
  if (!clauses) {
    if (cache.size >= 1000) cache.clear()
    cache.set(header, (clauses = parseAccept(header)))
  }
  return clauses
}

export interface NegotiationOptions {
  /** The endpoint answers with objects, which have other forms. Whether it is an object or a list is found out later. */
  readonly transforms?: boolean
  /** Its objects have columns. Default true. */
  readonly tables?: boolean
  /** Only what can be framed. */
  readonly watch?: boolean
  /** Custom resources have no Protobuf messages, though their metadata has. Default true. */
  readonly protobuf?: boolean
}

const onlyAccepted = (types: readonly string[]) =>
  notAcceptable(`only the following media types are accepted: ${types.join(', ')}`)

/** Aggregated discovery is asked for by the name of its type. */
export function negotiateDiscovery(accept: string | undefined, pretty: boolean): OutputForm | undefined {
  if (!accept?.includes('APIGroupDiscoveryList')) return undefined
  return firstForm(accept, (mediaType, params) => {
    const wanted =
      params.get('as') === 'APIGroupDiscoveryList' && params.get('g') === 'apidiscovery.k8s.io' && params.get('v') === 'v2'
    return wanted && streams(mediaType, params) && !params.get('sv')
      ? { ...plainJson(pretty || isPretty(params)), mediaType }
      : undefined
  })
}

export function negotiate(accept: string | undefined, pretty: boolean, options: NegotiationOptions = {}): OutputForm {
  if (!accept || accept === 'application/json' || accept === '*/*') return plainJson(pretty)
  const form = firstForm(accept, (mediaType, params) => acceptedForm(mediaType, params, pretty, options))
  // the first that fits counts, also where it cannot be framed
  if (!form || (options.watch && form.mediaType === 'application/yaml'))
    throw onlyAccepted(options.watch ? streamMediaTypes : bodyMediaTypes)
  return form
}

type Params = Clause['params']

function firstForm(
  accept: string,
  formOf: (mediaType: MediaType, params: Params) => OutputForm | undefined
): OutputForm | undefined {
  for (const clause of clausesOf(accept))
    for (const mediaType of offered) {
      const form = covers(clause, mediaType) ? formOf(mediaType, clause.params) : undefined
      if (form) return form
    }
  return undefined
}

const isPretty = (params: Params) => params.get('pretty') === '1'

/** False where a stream is asked for that there is not. */
function streams(mediaType: MediaType, params: Params): boolean {
  const stream = params.get('stream')
  return !stream || (stream === 'watch' && mediaType !== 'application/yaml')
}

function acceptedForm(
  mediaType: MediaType,
  params: Params,
  pretty: boolean,
  { transforms: transformed = false, tables = true, protobuf = true }: NegotiationOptions
): OutputForm | undefined {
  const isProtobuf = mediaType === 'application/vnd.kubernetes.protobuf'
  if (!streams(mediaType, params)) return undefined
  const serverVersion = params.get('sv')
  if (serverVersion && !(transformed && serverVersion === 'v1')) return undefined
  const indented = pretty || isPretty(params)
  if (!['as', 'g', 'v'].some(name => params.has(name)))
    return isProtobuf && !protobuf ? undefined : { mediaType, transform: undefined, transformVersion: '', pretty: indented }
  const transform = transformed ? transforms.find(t => t === params.get('as')) : undefined
  const transformVersion = params.get('v')
  if (!transform || params.get('g') !== 'meta.k8s.io') return undefined
  if (transformVersion !== 'v1' && transformVersion !== 'v1beta1') return undefined
  if (transform === 'Table' && (!tables || isProtobuf)) return undefined
  return { mediaType, transform, transformVersion, pretty: indented }
}

const json: OutputForm = { mediaType: 'application/json', transform: undefined, transformVersion: '', pretty: false }
const prettyJson: OutputForm = { ...json, pretty: true }

export const plainJson = (pretty: boolean): OutputForm => (pretty ? prettyJson : json)

/** What Go's strconv.ParseBool takes for true. */
const goTrue = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** Browsers and curl are read by people: they get indented JSON unless they say otherwise. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty')
  if (asked) return goTrue.has(asked)
  return userAgent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent)
}
