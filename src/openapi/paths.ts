/** The OpenAPI endpoints. Documents are made at the first request, and again after the served resources change. */
import type { Backend } from '../endpoints/backend.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { parseAccept } from '../formats/accept.js'
import { acceptsGzip, gzipped } from '../formats/compress.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import { type Document, Documents } from './documents.js'
import { v2ProtobufSubtypes } from './v2-protobuf.js'

export function openApiPaths(backends: readonly Backend[]): PathHandler[] {
  const documents = new Documents(backends)
  return [
    { path: '/openapi/v2', handle: context => v2Answer(documents, context) },
    { path: '/openapi/v3', handle: async () => respondBytes(200, 'text/plain; charset=utf-8', await documents.index()) },
    {
      path: '/openapi/v3/',
      handle(context) {
        const name = context.info.path.slice('/openapi/v3/'.length)
        const document = documents.v3(name)
        if (document) return v3Answer(document, context)
        for (const backend of backends) {
          const answer = backend.documents?.answerV3(context, name)
          if (answer) return answer
        }
        return { status: 404, headers: {} }
      }
    }
  ]
}

const year = 365 * 24 * 60 * 60

function v3Answer(document: Document, context: RequestContext): Response {
  const hash = context.query.get('hash')
  // a stale hash is redirected to the present one
  if (hash !== null && hash !== document.hash)
    return { status: 301, headers: { location: `${context.info.path}?hash=${document.hash}` } }
  const headers: Record<string, string> = { 'content-type': 'application/json', etag: `"${document.hash}"`, vary: 'Accept' }
  if (hash !== null) {
    headers['cache-control'] = 'public, immutable'
    headers.expires = new Date(context.record.receivedAt + year * 1000).toUTCString()
  }
  if (context.header('if-none-match') === headers.etag) return { status: 304, headers }
  return { status: 200, headers, body: document.body }
}

const v2Subtypes = ['json', '*', ...v2ProtobufSubtypes]

async function v2Answer(documents: Documents, context: RequestContext): Promise<Response> {
  const wanted = parseAccept(context.header('accept') || '*/*').find(
    ({ type, subtype }) => ['application', '*'].includes(type) && v2Subtypes.includes(subtype)
  )
  if (!wanted) return { status: 406, headers: { vary: 'Accept-Encoding, Accept' } }
  const protobuf = wanted.subtype !== 'json' && wanted.subtype !== '*'
  const { body, hash } = await documents.v2(protobuf)
  const headers = {
    'content-type': protobuf ? 'application/octet-stream' : 'application/json',
    etag: `"${hash}"`,
    vary: 'Accept-Encoding, Accept'
  }
  if (context.header('if-none-match') === headers.etag) return { status: 304, headers }
  // the only document that is compressed
  if (!acceptsGzip(context.header('accept-encoding'))) return { status: 200, headers, body }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipped(body) }
}
