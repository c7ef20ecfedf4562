/**
 * Conversion of custom resources by a webhook
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-conversion).
 */
import type { CustomResourceDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateAnnotations, validateLabels } from '../../apimachinery/validation/object-meta.js'
import { maxObjectBytes } from '../../registry/write/commit.js'
import { StoreUnavailableError } from '../../storage/contract.js'
import type { WebhookClient } from '../../transport/webhooks/client.js'
import { AnswerTooLarge } from '../../transport/webhooks/exchange.js'
import { exactJson } from '../../util/exact-json.js'
import { cloneJson, equalJson, getKey, isObject, type JsonObject } from '../../util/json.js'
import { takingTurns } from '../../util/turns.js'
import type { ConversionFailure, DefinitionMetrics } from '../definition-metrics.js'

const timeoutMs = 30_000
/** The most objects in one review, and the most characters of them: the answer is parsed at once. */
const maxBatch = 500
const maxBatchLength = 1024 * 1024

/** The webhook could not be reached, refused, or returned a conversion that is not valid. */
class ConversionError extends StoreUnavailableError {}

/** Converts documents to a version, in order. Documents that are in this version already are not sent to the webhook. */
export type Convert = (documents: readonly JsonObject[], apiVersion: string) => Promise<JsonObject[]>

export interface ConverterParts {
  readonly webhooks: WebhookClient
  readonly metrics: DefinitionMetrics
  readonly uuid: () => string
}

export function webhookConverter(
  definition: CustomResourceDefinition,
  { webhooks: client, metrics, uuid }: ConverterParts
): Convert {
  const { clientConfig, conversionReviewVersions } = definition.spec.conversion!.webhook!
  const review = conversionReviewVersions?.find(version => version === 'v1' || version === 'v1beta1')
  const convertBatch = async (documents: readonly Document[], desiredAPIVersion: string): Promise<JsonObject[]> => {
    if (!review) throw new ConversionError('no supported conversion review versions')
    const { kind, apiVersion } = documents[0]!.object
    const what = `conversion webhook for ${apiVersion}, Kind=${kind}`
    const uid = uuid()
    const head = exactJson({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${review}` }).slice(0, -1)
    const request = `{"uid":${JSON.stringify(uid)},"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)}`
    const body = Buffer.from(`${head},"request":${request},"objects":[${documents.map(({ text }) => text).join()}]}}`)
    const began = performance.now()
    const call = { definition: definition.metadata.name!, from: versionOf(apiVersion), to: versionOf(desiredAPIVersion) }
    const ended = (failure?: ConversionFailure) => metrics.webhookCalled(call, failure, began)
    let answer: unknown
    let converted: unknown[]
    try {
      const maxAnswerBytes = body.length + maxObjectBytes
      answer = await client.call(clientConfig!, body, { timeoutMs, maxAnswerBytes, name: definition.metadata.name })
    } catch (error) {
      // answers that grow larger are asked for in smaller parts
      if (error instanceof AnswerTooLarge && documents.length > 1) {
        const half = documents.length >> 1
        const first = await convertBatch(documents.slice(0, half), desiredAPIVersion)
        return [...first, ...(await convertBatch(documents.slice(half), desiredAPIVersion))]
      }
      ended('conversion_webhook_call_failure')
      throw new ConversionError(`${what} failed: ${(error as Error).message}`)
    }
    try {
      converted = convertedObjects(answer, review, uid)
    } catch (error) {
      ended('conversion_webhook_malformed_response_failure')
      throw new ConversionError(`${what} failed: ${(error as Error).message}`)
    }
    if (converted.length !== documents.length) {
      ended('conversion_webhook_partial_response_failure')
      throw new ConversionError(`${what} returned ${converted.length} objects, expected ${documents.length}`)
    }
    const results: JsonObject[] = []
    const turn = takingTurns()
    for (const [i, { object }] of documents.entries()) {
      await turn()
      try {
        results.push(checked(object, converted[i], desiredAPIVersion))
      } catch (error) {
        ended('conversion_webhook_invalid_converted_object_failure')
        throw new ConversionError(`${what} returned invalid converted object at index ${i}: ${(error as Error).message}`)
      }
    }
    ended()
    return results
  }
  return async (documents, apiVersion) => {
    const out = [...documents]
    const turn = takingTurns()
    let batch: Document[] = []
    let length = 0
    const endBatch = async () => {
      if (batch.length === 0) return
      const converted = await convertBatch(batch, apiVersion)
      for (const [i, { at }] of batch.entries()) out[at] = converted[i]!
      batch = []
      length = 0
    }
    for (const [at, object] of documents.entries()) {
      if (object.apiVersion === apiVersion) continue
      await turn()
      const text = exactJson(object)
      if (batch.length === maxBatch || length + text.length > maxBatchLength) await endBatch()
      batch.push({ at, object, text })
      length += text.length
    }
    await endBatch()
    return out
  }
}

/** An object to convert, and its place among the others. */
interface Document {
  readonly at: number
  readonly object: JsonObject
  readonly text: string
}

/** Reads the converted objects of an answer. Only v1 requires kind, apiVersion and uid of the answer to fit. */
function convertedObjects(answer: unknown, version: 'v1' | 'v1beta1', uid: string): unknown[] {
  const review = isObject(answer) ? answer : {}
  const identity = `${text(review.apiVersion)}, Kind=${text(review.kind)}`
  const wanted = 'apiextensions.k8s.io/v1, Kind=ConversionReview'
  if (version === 'v1' && identity !== wanted) throw new Error(`expected webhook response of ${wanted}, got ${identity}`)
  const { response } = review
  if (!isObject(response)) throw new Error('no response provided')
  if (version === 'v1' && response.uid !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(text(response.uid))}`)
  const result = isObject(response.result) ? response.result : {}
  if (result.status !== 'Success')
    throw new Error(text(result.message) || `response.result.status was '${text(result.status)}', not 'Success'`)
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : []
}

/** Returns the last part of an apiVersion. */
const versionOf = (apiVersion: unknown) => text(apiVersion).split('/').at(-1)!

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Checks a converted object. Takes its metadata from the original, as a conversion may change only labels and annotations. */
function checked(original: JsonObject, converted: unknown, apiVersion: string): JsonObject {
  if (!isObject(converted)) throw new Error('it is no object')
  if (converted.apiVersion !== apiVersion)
    throw new Error(`invalid groupVersion (expected ${apiVersion}, received ${text(converted.apiVersion)})`)
  if (converted.kind !== original.kind)
    throw new Error(`invalid kind (expected ${original.kind}, received ${text(converted.kind)})`)
  const { metadata } = converted
  if (metadata === undefined) throw new Error('missing metadata in converted object')
  if (!isObject(metadata)) throw new Error('invalid metadata in converted object')
  const before = original.metadata as JsonObject
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID']
  ] as const) {
    const [a, b] = [text(before[field]), text(metadata[field])]
    if (a !== b) throw new Error(`must have the same ${name}: ${a} != ${b}`)
  }
  const kept = cloneJson(before)
  for (const field of ['labels', 'annotations'] as const) {
    const texts = metadata[field]
    if (texts === undefined || texts === null) delete kept[field]
    else {
      checkTexts(field, texts, before[field])
      kept[field] = texts
    }
  }
  return { ...converted, metadata: kept }
}

function checkTexts(field: 'labels' | 'annotations', value: unknown, before: unknown): void {
  if (!isObject(value)) throw new Error(`invalid metadata.${field} in converted object`)
  for (const key of Object.keys(value))
    if (typeof getKey(value, key) !== 'string') throw new Error(`metadata.${field}[${key}] must be a string in converted object`)
  if (equalJson(value, before)) return
  const errors = new FieldErrors()
  const texts = value as NonNullable<ObjectMeta['labels']>
  if (field === 'labels') validateLabels(texts, Path.of('metadata', 'labels'), errors)
  else validateAnnotations(texts, Path.of('metadata', 'annotation'), errors)
  if (errors.any) throw new Error(errors.list.map(e => `${e.field}: ${e.message}`).join(', '))
}
