/** The common parts of /statusz and /flagz (KEP-4827, KEP-4828): a text for people, or on request an object of config.k8s.io. */

import { covers, parseAccept } from '../../apimachinery/formats/accept.js'
import { type MediaType, wantsPretty } from '../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { notAcceptable } from '../../apimachinery/status/status.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondObject, respondText } from '../endpoints/respond.js'

export interface DebugPage {
  /** The path: `statusz`. */
  readonly name: string
  /** The kind of the object: `Statusz`. */
  readonly kind: string
  /** Returns the text below the heading. */
  text(): string
  /** Returns the fields of the object. */
  fields(): object
}

const structured: readonly MediaType[] = ['application/json', 'application/yaml']
const deprecatedVersion = 'v1alpha1'

/** `cbor` says whether the object may be CBOR. */
export function debugPage(page: DebugPage, cbor: boolean): PathHandler {
  const heading = `
apiserver ${page.name}
Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.
`
  return {
    path: `/${page.name}`,
    handle(context) {
      // even errors are text
      context.cbor = cbor
      const form = requestedForm(context, page.kind)
      if (form === undefined) return respondText(`${heading}${page.text()}`)
      const { mediaType, version } = form
      const metadata = { name: 'apiserver' }
      const object = { kind: page.kind, apiVersion: `config.k8s.io/${version}`, metadata, ...page.fields() }
      if (version === deprecatedVersion)
        context.warn(`This version of the ${page.name} endpoint is deprecated. Please use a newer version.`)
      const pretty = wantsPretty(context.query, context.header('user-agent'))
      const response = respondObject({ mediaType, pretty, transform: undefined, transformVersion: '' }, object)
      response.headers['content-type'] = `${mediaType};g=config.k8s.io;v=${version};as=${page.kind}`
      return response
    }
  }
}

/** Returns the first accepted form that exists; undefined for text. Throws a 406. */
function requestedForm(context: RequestContext, kind: string) {
  const { cbor } = context
  const types = cbor ? [...structured, 'application/cbor' as const] : structured
  const accept = context.header('accept')
  if (!accept?.trim()) return undefined
  for (const clause of parseAccept(accept)) {
    const { params } = clause
    const version = params.get('v')
    const isObject =
      params.get('as') === kind && params.get('g') === 'config.k8s.io' && (version === 'v1beta1' || version === 'v1alpha1')
    const mediaType = isObject ? types.find(type => covers(clause, type)) : undefined
    if (mediaType) return { mediaType, version: version! }
    if (!params.has('as') && covers(clause, 'text/plain')) return undefined
  }
  const accepted = [...structured, 'text/plain', ...(cbor ? ['application/cbor'] : [])]
  throw notAcceptable(`only the following media types are accepted: ${accepted.join(', ')}`)
}
