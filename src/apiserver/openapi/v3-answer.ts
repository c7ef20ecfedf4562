/** Answers requests for OpenAPI v3 documents, in the form that the client wants. */

import { parseAccept } from '../../apimachinery/formats/accept.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { baseOf, type Response } from '../../apimachinery/request/message.js'
import { serveContent } from '../endpoints/serve-content.js'
import type { Document } from './document.js'
import { encodeV3Document, v3ProtobufSubtypes } from './v3-protobuf.js'

const year = 365 * 24 * 60 * 60

const subtypes = ['json', '*', ...v3ProtobufSubtypes]

/** The bodies in Protobuf, each made when one is first asked for, and kept as long as its document. */
const inProtobuf = new WeakMap<Document, Buffer>()

function protobufOf(document: Document): Buffer {
  let body = inProtobuf.get(document)
  if (!body) inProtobuf.set(document, (body = encodeV3Document(JSON.parse(String(document.body)))))
  return body
}

export function v3Answer(document: Document, context: RequestContext): Response {
  const clauses = parseAccept(context.header('accept') || '*/*')
  // kube-apiserver sends nothing to a client that accepts nothing
  if (clauses.length === 0) return { status: 200, headers: { vary: 'Accept' } }
  const form = clauses.find(({ type, subtype }) => ['application', '*'].includes(type) && subtypes.includes(subtype))
  if (!form) return { status: 406, headers: { vary: 'Accept' } }
  if (!v3ProtobufSubtypes.includes(form.subtype)) return answer(document, 'application/json', context)
  return answer({ ...document, body: protobufOf(document) }, `application/${v3ProtobufSubtypes[0]}`, context)
}

/** Serves a document. The address may name the hash of the content, so that clients keep it. */
function answer({ body, hash, modified }: Document, type: string, context: RequestContext): Response {
  const wanted = context.query.get('hash')
  const headers = { 'content-type': type, etag: `"${hash}"`, vary: 'Accept' }
  if (!wanted) return serveContent(context, { body, modified, headers })
  // a stale hash is redirected to the present one
  if (wanted !== hash)
    return { status: 301, headers: { ...headers, location: `${baseOf(context.request)}${context.info.path}?hash=${hash}` } }
  const expires = new Date(context.record.receivedAt + year * 1000).toUTCString()
  return serveContent(context, { body, modified, headers: { ...headers, 'cache-control': 'public, immutable', expires } })
}
