/** Which form an answer takes (https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources). */
import { notAcceptable, StatusError } from '../server/status.js'

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

interface Clause {
  readonly type: string
  readonly params: Readonly<Record<string, string>>
}

const offered: readonly MediaType[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
/** What bodies come in, in the order in which errors name them. */
export const bodyMediaTypes: readonly string[] = offered
const streamed = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
const transforms: readonly Transform[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']

/** Clauses of an Accept header, the ones with more weight first. */
export function parseAccept(header: string): Clause[] {
  const clauses = header.split(',').map((text, order) => {
    const [type, ...rest] = text.split(';').map(s => s.trim())
    const params: Record<string, string> = {}
    for (const param of rest) {
      const equals = param.indexOf('=')
      if (equals > 0) params[param.slice(0, equals)] = param.slice(equals + 1)
    }
    const weight = Number(params.q ?? 1)
    return { type: type!, params, order, weight: Number.isFinite(weight) ? weight : 1 }
  })
  return clauses.sort((a, b) => b.weight - a.weight || a.order - b.order)
}

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
  /** Collections also offer streams. */
  readonly collection?: boolean
  /** Only what can be framed. */
  readonly watch?: boolean
  /** No router looks at the Accept header first, which refuses most wildcards. */
  readonly unrouted?: boolean
  /** Custom resources have no Protobuf messages, though their metadata has. Default true. */
  readonly protobuf?: boolean
}

/** A router refuses what none of its routes produces. */
export const notProduced = (types: readonly string[]) =>
  new StatusError({
    ...notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`).status,
    details: {},
    code: 406
  })

const onlyAccepted = (types: readonly string[]) =>
  notAcceptable(`only the following media types are accepted: ${types.join(', ')}`)

export function negotiate(accept: string | undefined, pretty: boolean, options: NegotiationOptions = {}): OutputForm {
  if (!accept || accept === 'application/json' || accept === '*/*') return plainJson(pretty)
  const clauses = clausesOf(accept)
  const routed = options.unrouted || clauses.some(c => c.type === '*/*' || bodyMediaTypes.includes(c.type))
  if (!routed) throw notProduced(options.collection ? [...bodyMediaTypes, ...streamed] : bodyMediaTypes)
  for (const { type, params } of clauses) {
    const mediaType = type === '*/*' || type === 'application/*' ? 'application/json' : offered.find(o => o === type)
    if (!mediaType) continue
    const { as, g, v, stream } = params
    if (stream && (stream !== 'watch' || mediaType === 'application/yaml')) continue
    if (options.watch && mediaType === 'application/yaml') break
    const plain = as === undefined && g === undefined && v === undefined
    if (plain && options.protobuf === false && mediaType === 'application/vnd.kubernetes.protobuf') continue
    if (plain) return { mediaType, transform: undefined, transformVersion: '', pretty: pretty || params.pretty === '1' }
    const transform = options.transforms ? transforms.find(t => t === as) : undefined
    if (!transform || g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1')) continue
    if (transform === 'Table' && mediaType === 'application/vnd.kubernetes.protobuf') continue
    return { mediaType, transform, transformVersion: v, pretty }
  }
  throw onlyAccepted(options.watch ? streamed : bodyMediaTypes)
}

const json: OutputForm = { mediaType: 'application/json', transform: undefined, transformVersion: '', pretty: false }
const prettyJson: OutputForm = { ...json, pretty: true }

export const plainJson = (pretty: boolean): OutputForm => (pretty ? prettyJson : json)

/** Browsers and curl are read by people: they get indented JSON unless they say otherwise. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty')
  if (asked !== null) return asked !== 'false' && asked !== '0' && asked !== ''
  return userAgent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent)
}
