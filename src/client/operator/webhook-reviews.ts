/** Answers AdmissionReviews and ConversionReviews by the functions of an operator. */
import { jsonPatchOf } from '../../apimachinery/patch/json-patch-of.js'
import { type Status, StatusError } from '../../apimachinery/status/status.js'
import { unescapedJson } from '../../util/exact-json.js'
import { cloneJson, isObject, type JsonObject } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { KubeClient } from '../types.js'
import type { Conversion, Webhook, WebhookRequest, WebhookVerb } from './webhook.js'

/** What was sent is no review. */
export class BadReview extends Error {}

export interface ReviewContext {
  readonly client: KubeClient
  readonly log: Logger
  readonly signal: AbortSignal
}

const admissionVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']

function requestOf(review: unknown, kind: string, versions: readonly string[]): { apiVersion: string; request: any } {
  if (!isObject(review) || review.kind !== kind || !versions.includes(review.apiVersion as string))
    throw new BadReview(`the body is no ${kind} of ${versions.join(' or ')}`)
  if (!isObject(review.request) || typeof review.request.uid !== 'string') throw new BadReview(`the ${kind} has no request`)
  return { apiVersion: review.apiVersion as string, request: review.request }
}

/** Answers an AdmissionReview. Throws BadReview. */
export async function answerAdmission(
  review: unknown,
  webhook: Webhook,
  verb: WebhookVerb,
  context: ReviewContext
): Promise<object> {
  const kind = 'AdmissionReview'
  const { apiVersion, request: sent } = requestOf(review, kind, admissionVersions)
  const warnings: string[] = []
  const request: WebhookRequest<any> = {
    uid: sent.uid,
    operation: sent.operation,
    object: sent.object ?? sent.oldObject,
    old: sent.oldObject ?? undefined,
    name: sent.name ?? '',
    namespace: sent.namespace,
    subresource: sent.subResource,
    user: sent.userInfo ?? {},
    dryRun: sent.dryRun ?? false,
    options: sent.options,
    ...context,
    warn: text => void warnings.push(text)
  }
  const decided = await decide(webhook, verb, request, context.log)
  return { kind, apiVersion, response: { uid: sent.uid, ...decided, ...(warnings.length > 0 ? { warnings } : {}) } }
}

async function decide(webhook: Webhook, verb: WebhookVerb, request: WebhookRequest<any>, log: Logger): Promise<object> {
  try {
    if (verb === 'validate') {
      await webhook.validate!(request.object, request)
      return { allowed: true }
    }
    // what is deleted cannot be changed
    if (request.operation === 'DELETE') return { allowed: true }
    const before = cloneJson(request.object)
    const after = (await webhook.mutate!(request.object, request)) ?? request.object
    const operations = jsonPatchOf(before, after)
    if (operations.length === 0) return { allowed: true }
    return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(unescapedJson(operations)).toString('base64') }
  } catch (error) {
    const status = statusIn(error)
    if (status) return { allowed: false, status }
    const message = error instanceof Error ? error.message : String(error)
    if (!isBug(error)) return { allowed: false, status: { status: 'Failure', message, reason: 'Forbidden', code: 403 } }
    log.error(`webhook: ${verb} of ${request.name}: ${error.stack}`)
    return { allowed: false, status: { status: 'Failure', message, reason: 'InternalError', code: 500 } }
  }
}

/** The Status that an error has, or that one of its causes has: this is what Go's errors.As finds. */
function statusIn(error: unknown, depth = 0): Status | undefined {
  if (error instanceof StatusError) return error.status
  return error instanceof Error && depth < 10 ? statusIn(error.cause, depth + 1) : undefined
}

/** Whether the language has thrown an error, and nobody's `throw`: where Go would panic. Such an answer is no decision. */
const isBug = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError

const splitVersion = (apiVersion: string): [group: string, version: string] => {
  const slash = apiVersion.indexOf('/')
  return [apiVersion.slice(0, Math.max(0, slash)), apiVersion.slice(slash + 1)]
}

/** Answers a ConversionReview. Throws BadReview. */
export async function answerConversion(review: unknown, conversions: readonly Conversion[], log: Logger): Promise<object> {
  const kind = 'ConversionReview'
  const { apiVersion, request } = requestOf(review, kind, ['apiextensions.k8s.io/v1'])
  const { uid, desiredAPIVersion, objects } = request
  if (typeof desiredAPIVersion !== 'string' || !Array.isArray(objects))
    throw new BadReview(`the ${kind} names no objects or no version`)
  try {
    const convertedObjects: object[] = []
    for (const object of objects) convertedObjects.push(await convert(object, desiredAPIVersion, conversions))
    return { kind, apiVersion, response: { uid, convertedObjects, result: { status: 'Success' } } }
  } catch (error) {
    log.error(`webhook: conversion to ${desiredAPIVersion}: ${error instanceof Error ? error.stack : error}`)
    const message = error instanceof Error ? error.message : String(error)
    return { kind, apiVersion, response: { uid, convertedObjects: [], result: { status: 'Failure', message } } }
  }
}

async function convert(object: JsonObject, desired: string, conversions: readonly Conversion[]): Promise<object> {
  const [group, from] = splitVersion(String(object.apiVersion))
  const [desiredGroup, to] = splitVersion(desired)
  const conversion = conversions.find(({ kind }) => kind.group === group && kind.kind === object.kind)
  if (!conversion || desiredGroup !== group)
    throw new Error(`${object.apiVersion} ${object.kind} cannot be converted to ${desired}`)
  const { hub, versions } = conversion
  const functionsOf = (version: string) => {
    if (!Object.hasOwn(versions, version)) throw new Error(`the kind ${object.kind} has no version ${version}`)
    return versions[version]!
  }
  const { apiVersion: _, ...given } = cloneJson(object)
  let now: object = given
  if (from !== to) {
    if (from !== hub) now = await functionsOf(from).toHub({ ...now, apiVersion: object.apiVersion })
    if (to !== hub) now = await functionsOf(to).fromHub({ ...now, apiVersion: `${group}/${hub}` })
  }
  return { ...now, apiVersion: desired, kind: object.kind }
}
