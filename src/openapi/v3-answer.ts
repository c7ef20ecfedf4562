/** Answers a request for an OpenAPI v3 document, whose address may name the hash of the content, so that clients keep it. */
import { serveContent } from '../endpoints/serve-content.js'
import type { RequestContext } from '../request/context.js'
import { baseOf, type Response } from '../request/message.js'
import type { Document } from './document.js'

const year = 365 * 24 * 60 * 60

export function v3Answer({ body, hash, modified }: Document, context: RequestContext): Response {
  const wanted = context.query.get('hash')
  const headers = { 'content-type': 'application/json', etag: `"${hash}"`, vary: 'Accept' }
  if (!wanted) return serveContent(context, { body, modified, headers })
  // a stale hash is redirected to the present one
  if (wanted !== hash)
    return { status: 301, headers: { ...headers, location: `${baseOf(context.request)}${context.info.path}?hash=${hash}` } }
  const expires = new Date(context.record.receivedAt + year * 1000).toUTCString()
  return serveContent(context, { body, modified, headers: { ...headers, 'cache-control': 'public, immutable', expires } })
}
