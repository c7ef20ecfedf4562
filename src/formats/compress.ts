/** Large answers are sent compressed to clients that can read that, at kube-apiserver's threshold and level. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type RequestContext, type Response, wholeBody } from '../server/context.js'

const threshold = 128 * 1024
/** The fastest: what it saves on the network must not cost more in time. */
const level = 1
// runs in the thread pool, so other requests go on meanwhile
const compress = promisify(gzip)

/** As kube-apiserver reads the header: an element has to be exactly "gzip". */
const accepts = (header: string | undefined) => header?.split(',').some(element => element.trim() === 'gzip') ?? false

export function compressed(context: RequestContext, response: Response): Response | Promise<Response> {
  const { body } = response
  if (!body || !context.info.isResourceRequest || !accepts(context.header('accept-encoding'))) return response
  if (body.length <= threshold) return response
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
  return compress(wholeBody(body), { level }).then(packed => ({ ...response, headers, body: packed }))
}
