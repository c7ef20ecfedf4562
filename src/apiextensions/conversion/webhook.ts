/**
 * Conversion of custom resources by a webhook
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-conversion).
 */
import type { CustomResourceDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { notRegistered } from '../../apimachinery/schema/registered.js'
import { describeJson } from '../../apimachinery/schema/scalars.js'
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

const group = 'apiextensions.k8s.io'
const ownKind = 'ConversionReview'
const timeoutMs = 30_000
/** The most objects in one review, and the most characters of them: the answer is parsed at once. */
const maxBatch = 500
const maxBatchLength = 1024 * 1024

/** The webhook could not be reached, refused, or returned a conversion that is not valid. */
export class ConversionError extends StoreUnavailableError {
  /** Whether there was no answer: other objects would have none either. */
  readonly isUnanswered: boolean

  constructor(message: string, isUnanswered = false) {
    super(message)
    this.isUnanswered = isUnanswered
  }
}

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
      throw new ConversionError(`${what} failed: ${(error as Error).message}`, true)
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
        results.push(checked(what, object, converted[i], desiredAPIVersion))
      } catch (error) {
        ended('conversion_webhook_invalid_converted_object_failure')
        throw error
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
  if (answer !== null && !isObject(answer))
    throw new Error(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${describeJson(answer)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
    )
  const review = answer ?? {}
  const [apiVersion, kind] = [text(review.apiVersion) || `${group}/${version}`, text(review.kind) || ownKind]
  if (kind !== ownKind || (apiVersion !== `${group}/v1` && apiVersion !== `${group}/v1beta1`))
    throw new Error(notRegistered(apiVersion, kind))
  if (apiVersion !== `${group}/${version}`)
    throw new Error(`converting (${versionOf(apiVersion)}.${kind}) to (${version}.${kind}): unknown conversion`)
  const said = text(review.apiVersion)
  const identity = `${said.includes('/') ? said : `/${said}`}, Kind=${text(review.kind)}`
  const wanted = `${group}/v1, Kind=${ownKind}`
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
function checked(what: string, original: JsonObject, converted: unknown, apiVersion: string): JsonObject {
  const returned = (why: string) => new ConversionError(`${what} returned invalid ${why}`)
  if (!isObject(converted)) throw new ConversionError('unexpected end of JSON input')
  if (converted.apiVersion !== apiVersion)
    throw returned(`object at index 0: invalid groupVersion (expected ${apiVersion}, received ${text(converted.apiVersion)})`)
  if (converted.kind !== original.kind)
    throw returned(`object at index 0: invalid kind (expected ${original.kind}, received ${text(converted.kind)})`)
  const metadata = isObject(converted.metadata) ? converted.metadata : {}
  const before = original.metadata as JsonObject
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID']
  ] as const) {
    const [a, b] = [text(before[field]), text(metadata[field])]
    if (a !== b) throw returned(`object: must have the same ${name}: ${a} != ${b}`)
  }
  const kept = cloneJson(before)
  for (const field of ['labels', 'annotations'] as const) {
    const texts = metadata[field]
    if (texts === undefined || texts === null) delete kept[field]
    else {
      const problem = textsProblem(field, texts, before[field])
      if (problem !== undefined) throw returned(`metadata: ${problem}`)
      kept[field] = texts
    }
  }
  return { ...converted, metadata: kept }
}

function textsProblem(field: 'labels' | 'annotations', value: unknown, before: unknown): string | undefined {
  if (!isObject(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`
  for (const key of Object.keys(value)) {
    const given = getKey(value, key)
    if (typeof given !== 'string')
      return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(given)} in converted object`
  }
  if (equalJson(value, before)) return undefined
  const errors = new FieldErrors()
  const texts = value as NonNullable<ObjectMeta['labels']>
  if (field === 'labels') validateLabels(texts, Path.of('metadata', 'labels'), errors)
  else validateAnnotations(texts, Path.of('metadata', 'annotation'), errors)
  return errors.any ? errors.list.map(e => `${e.field}: ${e.message}`).join(', ') : undefined
}

/** The Go type of a value that was read from JSON. */
function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'int64' : 'float64'
}
