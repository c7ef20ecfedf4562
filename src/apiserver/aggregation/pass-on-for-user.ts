/**
 * Passes a request on to another API server as an authenticating proxy does: that server believes the user's name in the headers, because
 * it knows the certificate which this server shows.
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { userHeaders } from '../../transport/proxy/headers.js'
import { passOn, UnreachableError } from '../../transport/proxy/pass-on.js'
import { escapedPath, hostAndPort } from '../../util/url-parts.js'
import { respondText } from '../endpoints/respond.js'
import { goQuery } from '../nodes/paths.js'
import type { Reached } from './remote-connections.js'

export interface PassOnOptions {
  /** More headers for the other server: names and values in turn. */
  readonly headers?: readonly string[] | undefined
  /** Milliseconds in which the answer must begin. */
  readonly timeoutMs?: number | undefined
  /** Whether an answer that redirects the client is refused. */
  readonly rejectsRedirects?: boolean | undefined
  /** Whether the other server is told the user's UID. Default: true. */
  readonly namesUid?: boolean | undefined
}

/** Answers 503 when the other server cannot be reached. */
export async function passOnForUser(
  context: RequestContext,
  reached: Reached,
  { headers = [], timeoutMs, rejectsRedirects, namesUid }: PassOnOptions
): Promise<Response> {
  const { host, port } = reached.target
  // a watch gives its seat back: the other server says when it has begun
  context.initialized()
  try {
    return await passOn(context, {
      ...reached,
      path: escapedPath(context.info.path),
      // kube-apiserver writes the query anew
      query: goQuery([...context.query]),
      identity: {
        host: hostAndPort(host, port),
        headers: ['Audit-ID', context.record.auditId, ...userHeaders(context.user, namesUid), ...headers]
      },
      timeoutMs,
      rejectsRedirects
    })
  } catch (error) {
    context.throwIfAborted()
    if (!(error instanceof UnreachableError || error instanceof StatusError)) throw error
    return unavailable(error.message)
  }
}

export const unavailable = (text: string): Response => respondText(`${text}\n`, 503)
