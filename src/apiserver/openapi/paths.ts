/** The OpenAPI endpoints. Documents are made at the first request, and again after the served resources change. */

import { parseAccept } from '../../apimachinery/formats/accept.js'
import { acceptsGzip, gzipped } from '../../apimachinery/formats/compress.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Clock } from '../../util/clock.js'
import type { Backend } from '../endpoints/backend.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { serveContent } from '../endpoints/serve-content.js'
import { Documents } from './documents.js'
import { v2ProtobufSubtypes } from './v2-protobuf.js'
import { v3Answer } from './v3-answer.js'

/** `release`: the emulated one, `1.36`. */
export function openApiPaths(backends: readonly Backend[], clock: Pick<Clock, 'now'>, release: string): PathHandler[] {
  const documents = new Documents(backends, clock, release)
  return [
    { path: '/openapi/v2', handle: context => v2Answer(documents, context) },
    {
      path: '/openapi/v3',
      async handle(context) {
        const { body, modified: changed } = await documents.index()
        const headers = { 'content-type': 'text/plain; charset=utf-8' }
        // kube-apiserver makes it for each request, and takes longer than a second to add a new definition
        return serveContent(context, { body, modified: clock.now(), changed, headers })
      }
    },
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

/** Shorter answers, in bytes, are not compressed. */
const minGzip = 1400

const v2Subtypes = ['json', '*', ...v2ProtobufSubtypes]

async function v2Answer(documents: Documents, context: RequestContext): Promise<Response> {
  const wanted = parseAccept(context.header('accept') || '*/*').find(
    ({ type, subtype }) => ['application', '*'].includes(type) && v2Subtypes.includes(subtype)
  )
  if (!wanted) return { status: 406, headers: { vary: 'Accept-Encoding, Accept' } }
  const protobuf = wanted.subtype !== 'json' && wanted.subtype !== '*'
  const { body, hash, modified } = await documents.v2(protobuf)
  const headers = {
    'content-type': protobuf ? 'application/octet-stream' : 'application/json',
    etag: `"${hash}"`,
    vary: 'Accept-Encoding, Accept'
  }
  const answer = serveContent(context, { body, modified, headers })
  const { body: sent } = answer
  // no other document is compressed
  if (!Buffer.isBuffer(sent) || sent.length < minGzip || !acceptsGzip(context.header('accept-encoding'))) return answer
  return { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' }, body: gzipped(sent) }
}
