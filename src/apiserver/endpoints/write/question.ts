/** POSTs that are answered and not stored: kinds that are never stored, and subresources that are not a part of their object. */
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { checkBodyType } from '../../../apimachinery/formats/body.js'
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { internalPackage } from '../../../apimachinery/schema/registered.js'
import { admitBody, admitReview } from '../../../registry/write/question.js'
import { implementationOf } from '../../subresources/index.js'
import {
  type Endpoint,
  type EndpointRequest,
  expectedKind,
  implementationRequest,
  operationFor,
  requestedForm
} from '../endpoint.js'
import { respondMade } from '../objects.js'
import { apiVersionOf, decodeObject, type Expected, maxBodyBytes } from './decode-object.js'
import { type WriteOptions, writeOptions } from './options.js'
import { checkNamespace } from './place.js'
import { recordQuestion } from './record-request.js'

/** A POST of a kind that is never stored. */
export const review: Endpoint = async request => {
  const { context, resource } = request
  const { form, object, options } = await readQuestion(request, expectedKind(request))
  recordQuestion(context, object)
  const operation = operationFor(request, options)
  checkNamespace(object.metadata, resource.namespaced, operation.namespace)
  await admitReview(operation, object)
  const subject = implementationRequest(request, operation, object.metadata.name ?? '')
  const made = await implementationOf(resource.kind, '')!.create!(subject, object)
  return respondMade(context, form, made, `${internalPackage(resource.group)}.${resource.kind.kind}`, 201)
}

/** A POST of the body of a subresource. */
export const subresourceBody: Endpoint = async request => {
  const { context, resource } = request
  const { name, namespace, subresource } = context.info
  const { kind, type: typeName, accepts } = resource.kind.subresources!.others![subresource]!
  const implementation = implementationOf(resource.kind, subresource)!
  const type = loadSchema().type(typeName)
  const { form, object: body, options } = await readQuestion(request, { ...kind, type, accepts })
  implementation.default?.(body)
  recordQuestion(context, body)
  checkNamespace(body.metadata, true, namespace)
  const operation = operationFor(request, options)
  await admitBody(operation, name, { type, apiVersion: apiVersionOf(kind) }, body)
  const answer = (await implementation.create!(implementationRequest(request, operation, name), body)) as { code?: number }
  return respondMade(context, form, answer, `${internalPackage(kind.group)}.${kind.kind}`, answer.code ?? 201)
}

interface Question {
  readonly form: OutputForm
  readonly object: KubeObject
  readonly options: WriteOptions
}

async function readQuestion(request: EndpointRequest, expected: Expected): Promise<Question> {
  const { context } = request
  const form = requestedForm(request)
  checkBodyType(context, context.header('content-type'))
  const body = await context.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'CreateOptions')
  const object = await decodeObject(context, body, expected, options.fieldValidation)
  return { form, object, options }
}
