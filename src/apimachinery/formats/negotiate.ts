/**
 * Negotiates the form of an answer
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources).
 */

import { parseBool } from '../../util/go-format.js'
import { notAcceptable } from '../status/status.js'
import { type Clause, covers, parseAccept } from './accept.js'

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf' | 'application/cbor'

/** The form that the body contains instead of the object itself. */
export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

export interface OutputForm {
  readonly mediaType: MediaType
  readonly transform: Transform | undefined
  /** "v1" or "v1beta1" of meta.k8s.io */
  readonly transformVersion: string
  readonly pretty: boolean
}

const offered: readonly MediaType[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
const offeredWithCbor: readonly MediaType[] = [...offered, 'application/cbor']
const streams: readonly string[] = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
/** The media type of watches in CBOR: a sequence of documents (RFC 8742). */
export const cborSequence = 'application/cbor-seq'
const streamsWithCbor: readonly string[] = [...streams, cborSequence]

/** Media types of request bodies, in the order in which errors name them. `cbor`: see `RequestContext.cbor`. */
export const bodyMediaTypes = (cbor: boolean): readonly string[] => (cbor ? offeredWithCbor : offered)
export const streamMediaTypes = (cbor: boolean): readonly string[] => (cbor ? streamsWithCbor : streams)
const transforms: readonly Transform[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']

const cache = new Map<string, Clause[]>()
/** A longer header is parsed each time: what is kept must not grow with what clients send. */
const maxKeptCharacters = 512

function clausesOf(header: string): readonly Clause[] {
  if (header.length > maxKeptCharacters) return parseAccept(header)
  let clauses = cache.get(header)
  if (!clauses) {
    if (cache.size >= 1000) cache.clear()
    cache.set(header, (clauses = parseAccept(header)))
  }
  return clauses
}

export interface NegotiationOptions {
  /**
   * True when the endpoint returns objects, which can be transformed. Whether the answer is an object or a list is checked later.
   */
  readonly transforms?: boolean
  /** True when the objects have columns. Default true. */
  readonly tables?: boolean
  /** True for a watch, which allows only forms that can be framed. */
  readonly watch?: boolean
  /** False for custom resources, which have no Protobuf messages, although their metadata does. Default true. */
  readonly protobuf?: boolean
}

const onlyAccepted = (types: readonly string[]) =>
  notAcceptable(`only the following media types are accepted: ${types.join(', ')}`)

export interface DiscoveryForm extends OutputForm {
  /** Whether the client wants to know only what this server serves (`profile=nopeer`). */
  readonly withoutPeers: boolean
}

/** Negotiates aggregated discovery, which clients request by the name of its type. */
export function negotiateDiscovery(accept: string | undefined, pretty: boolean): DiscoveryForm | undefined {
  if (!accept?.includes('APIGroupDiscoveryList')) return undefined
  return firstForm(accept, offered, (mediaType, params) => {
    const wanted =
      params.get('as') === 'APIGroupDiscoveryList' && params.get('g') === 'apidiscovery.k8s.io' && params.get('v') === 'v2'
    return wanted && canStream(mediaType, params) && !params.get('sv')
      ? { ...plainJson(pretty || isPretty(params)), mediaType, withoutPeers: params.get('profile') === 'nopeer' }
      : undefined
  })
}

/** `cbor`: see `RequestContext.cbor`. */
export function negotiate(
  accept: string | undefined,
  pretty: boolean,
  options: NegotiationOptions = {},
  cbor = false
): OutputForm {
  if (!accept || accept === 'application/json' || accept === '*/*') return plainJson(pretty)
  const types = cbor ? offeredWithCbor : offered
  const form = firstForm(accept, types, (mediaType, params) => acceptedForm(mediaType, params, pretty, options))
  // the first form that fits decides, even if it cannot be framed
  if (!form || (options.watch && form.mediaType === 'application/yaml'))
    throw onlyAccepted(options.watch ? streamMediaTypes(cbor) : bodyMediaTypes(cbor))
  return form
}

type Params = Clause['params']

function firstForm<F extends OutputForm>(
  accept: string,
  types: readonly MediaType[],
  formOf: (mediaType: MediaType, params: Params) => F | undefined
): F | undefined {
  for (const clause of clausesOf(accept))
    for (const mediaType of types) {
      const form = covers(clause, mediaType) ? formOf(mediaType, clause.params) : undefined
      if (form) return form
    }
  return undefined
}

const isPretty = (params: Params) => params.get('pretty') === '1'

/** Returns false for a streaming parameter that is not supported. */
function canStream(mediaType: MediaType, params: Params): boolean {
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
  const isText = mediaType === 'application/json' || mediaType === 'application/yaml'
  if (!canStream(mediaType, params)) return undefined
  const serverVersion = params.get('sv')
  if (serverVersion && !(transformed && serverVersion === 'v1')) return undefined
  const indented = pretty || isPretty(params)
  if (!['as', 'g', 'v'].some(name => params.has(name)))
    return isProtobuf && !protobuf ? undefined : { mediaType, transform: undefined, transformVersion: '', pretty: indented }
  const transform = transformed ? transforms.find(t => t === params.get('as')) : undefined
  const transformVersion = params.get('v')
  if (!transform || params.get('g') !== 'meta.k8s.io') return undefined
  if (transformVersion !== 'v1' && transformVersion !== 'v1beta1') return undefined
  if (transform === 'Table' && (!tables || !isText)) return undefined
  return { mediaType, transform, transformVersion, pretty: indented }
}

const json: OutputForm = { mediaType: 'application/json', transform: undefined, transformVersion: '', pretty: false }
const prettyJson: OutputForm = { ...json, pretty: true }

export const plainJson = (pretty: boolean): OutputForm => (pretty ? prettyJson : json)

/** Whether to indent JSON: by default for browsers and curl, whose output people read. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty')
  if (asked) return parseBool(asked) === true
  return userAgent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent)
}
