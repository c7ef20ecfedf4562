/** Answers: a status code, the usual headers, and a body in the negotiated form. */
import { encodeObject } from '../../apimachinery/formats/body.js'
import {
  type NegotiationOptions,
  negotiate,
  type OutputForm,
  plainJson,
  wantsPretty
} from '../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { BodyPieces, Response } from '../../apimachinery/request/message.js'
import type { StatusError } from '../../apimachinery/status/status.js'

export function outputForm(context: RequestContext, options?: NegotiationOptions): OutputForm {
  return negotiate(context.header('accept'), wantsPretty(context.query, context.header('user-agent')), options, context.cbor)
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
  const body = encodeObject(object, form.mediaType, form.pretty, sorted)
  return { status, headers: { 'content-type': form.mediaType }, body, object, sorted }
}

/** Answers with an error, in the requested form if possible. */
export function respondError(context: RequestContext, error: StatusError): Response {
  const form = errorForm(context)
  const response = form
    ? respondObject(form, error.status, error.code)
    : respondBytes(error.code, plain.mediaType, encodeObject(error.status, plain.mediaType, plain.pretty))
  if (error.headers) Object.assign(response.headers, error.headers)
  return response
}

const plain = plainJson(true)

/** Errors come without transformations such as Table, and in Protobuf too. If negotiation fails, they are indented JSON. */
function errorForm(context: RequestContext): OutputForm | undefined {
  try {
    return outputForm(context)
  } catch {
    return undefined
  }
}
