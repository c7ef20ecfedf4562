/** Answers: a status code, the usual headers, and a body in the negotiated form. */
import { encodeObject } from '../formats/encode.js'
import { type NegotiationOptions, negotiate, type OutputForm, plainJson, wantsPretty } from '../formats/negotiate.js'
import type { RequestContext } from '../request/context.js'
import type { BodyPieces, Response } from '../request/message.js'
import type { StatusError } from '../status/status.js'

export function outputForm(context: RequestContext, options?: NegotiationOptions): OutputForm {
  return negotiate(context.header('accept'), wantsPretty(context.query, context.header('user-agent')), options)
}

export function respondBytes(status: number, type: string, body: Buffer | BodyPieces): Response {
  return { status, headers: { 'content-type': type }, body }
}

export function respondText(text: string, status = 200): Response {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text)
  }
}

export function respondObject(form: OutputForm, object: unknown, status = 200, sorted = false): Response {
  return respondBytes(status, form.mediaType, encodeObject(object, form.mediaType, form.pretty, sorted))
}

/** Answers with an error, in the requested form if possible. */
export function respondError(context: RequestContext, error: StatusError): Response {
  const response = respondObject(errorForm(context), error.status, error.code)
  if (error.headers) Object.assign(response.headers, error.headers)
  return response
}

/** Errors come without transformations such as Table, and in Protobuf too. If negotiation fails, they are indented JSON. */
function errorForm(context: RequestContext): OutputForm {
  try {
    return outputForm(context)
  } catch {
    return plainJson(true)
  }
}
