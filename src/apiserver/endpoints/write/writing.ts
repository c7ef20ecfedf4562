/** The endpoints of writes: reads and decodes the body, writes the object, and answers with it. */
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import type { Response } from '../../../apimachinery/request/message.js'
import type { Operation, Written } from '../../../registry/write/operation.js'
import type { Verb } from '../../../registry/write/verb.js'
import { write } from '../../../registry/write/write.js'
import { type Endpoint, type EndpointRequest, operationFor, permitCreate, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { maxBodyBytes } from './decode-object.js'
import { warnWhereNothingActs } from './nothing-acts.js'
import { type OptionsKind, type WriteOptions, writeOptions } from './options.js'

export interface WriteRequest {
  readonly request: EndpointRequest
  readonly operation: Operation
  readonly options: WriteOptions
  readonly body: Buffer
}

/** What the requests of a verb are, up to the object that they write. */
export interface Writing<Sent> {
  /** The steps that follow when the body is decoded. */
  readonly verb: Verb<Sent>
  readonly options: OptionsKind
  /** What is looked at before the body is read. */
  readonly checkHead?: (context: RequestContext, form: OutputForm) => void
  /** What is looked at before the options are. */
  readonly checkBody?: (body: Buffer) => void
  /** The first step of the write. Throws a StatusError for a body that cannot be decoded, and records it for audit. */
  readonly decode: (request: WriteRequest) => Sent | Promise<Sent>
  /** Default: the object, with 201 for a new one. */
  readonly answer?: (request: EndpointRequest, form: OutputForm, written: Written) => Response
}

export const writing =
  <Sent>({ verb, options: kind, checkHead, checkBody, decode, answer = respondWritten }: Writing<Sent>): Endpoint =>
  async request => {
    const { context } = request
    const form = requestedForm(request)
    checkHead?.(context, form)
    const body = await context.readBody(maxBodyBytes)
    checkBody?.(body)
    const options = writeOptions(context.query, kind)
    const operation = operationFor(request, options)
    const sent = await decode({ request, operation, options, body })
    const target = { name: context.info.name, permitCreate: () => permitCreate(request) }
    const written = await write(operation, verb, target, sent)
    if (written.created && !operation.subresource) warnWhereNothingActs(request)
    return answer(request, form, written)
  }

function respondWritten({ context, resource, server }: EndpointRequest, form: OutputForm, written: Written): Response {
  return respondStored(context, form, resource, written, server.services.clock.now(), written.created ? 201 : 200)
}
