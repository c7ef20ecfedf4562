/** Writes AdmissionReviews for webhooks, and reads their answers. */
import { SyntaxFailure } from '../../apimachinery/formats/body-format.js'
import { jsonSyntaxError } from '../../apimachinery/formats/json-syntax.js'
import { parseYaml } from '../../apimachinery/formats/yaml-body.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { notRegistered } from '../../apimachinery/schema/registered.js'
import { describeJson } from '../../apimachinery/schema/scalars.js'
import type { StatusDetails } from '../../apimachinery/status/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { isDeeperThan, isObject, type JsonObject, maxJsonDepth } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { describeRequest } from '../matching/activation.js'
import type { ServedResource } from '../matching/served-resource.js'
import { readTypeMeta, type TypeMeta, TypeMetaError } from '../type-meta.js'

export type ReviewVersion = 'v1' | 'v1beta1'

/** The objects of a request as a webhook sees them; null where there is none. */
export interface ShownObjects {
  readonly object: any
  readonly oldObject: any
}

const group = 'admission.k8s.io'
const kind = 'AdmissionReview'

export function reviewOf(
  version: ReviewVersion,
  uid: string,
  attributes: AdmissionAttributes,
  matched: ServedResource,
  { object, oldObject }: ShownObjects
): JsonObject {
  const request = { uid, ...describeRequest(attributes, matched), object, oldObject }
  return { kind, apiVersion: `${group}/${version}`, request }
}

/** The Status of a refusal, as the webhook sent it. */
export interface SentStatus {
  readonly metadata?: JsonObject
  readonly status?: string
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

export interface ReviewAnswer {
  readonly allowed: boolean
  readonly result: SentStatus | undefined
  readonly warnings: readonly string[]
  /** A JSON Patch as it was sent; "" for none. */
  readonly patch: string
  readonly patchType: string
  readonly auditAnnotations: Readonly<Record<string, string>>
}

/** The answer cannot be read at all. */
export class UnreadableAnswer extends Error {}

/** The answer can be read, but does not fit the review. */
export class WrongAnswer extends Error {}

/** Reads and checks an answer. Throws UnreadableAnswer and WrongAnswer. */
export function readAnswer(text: string, version: ReviewVersion, uid: string, mutating: boolean): ReviewAnswer {
  const { review, identity } = readReview(text, version)
  const { response } = review
  if (response === undefined || response === null) throw new WrongAnswer('webhook response was absent')
  const fields = new Fields(response, {
    path: 'AdmissionResponse.response',
    field: 'AdmissionReview.response',
    type: `${version}.AdmissionResponse`
  })
  const answer = {
    uid: fields.text('uid'),
    allowed: fields.boolean('allowed'),
    result: statusOf(fields.object('status', { path: 'Status.response.status', type: 'v1.Status' })),
    patch: fields.bytes('patch'),
    patchType: fields.optionalText('patchType'),
    warnings: fields.texts('warnings'),
    auditAnnotations: fields.textMap('auditAnnotations')
  }
  const { allowed, result, warnings, auditAnnotations } = answer
  // the checks below came with v1
  if (version === 'v1beta1') {
    const patch = mutating ? answer.patch : ''
    return { allowed, result, warnings, auditAnnotations, patch, patchType: patch === '' ? '' : 'JSONPatch' }
  }
  if (answer.uid !== uid) throw new WrongAnswer(`expected response.uid=${goQuote(uid)}, got ${goQuote(answer.uid)}`)
  const wanted = `${group}/v1, Kind=${kind}`
  if (identity !== wanted) throw new WrongAnswer(`expected webhook response of ${wanted}, got ${identity}`)
  const { patch, patchType } = answer
  if (!mutating && patch !== '') throw new WrongAnswer('validating webhook may not return response.patch')
  if (!mutating && patchType !== undefined) throw new WrongAnswer('validating webhook may not return response.patchType')
  if (patch !== '' && patchType === undefined) throw new WrongAnswer('webhook returned response.patch but not response.patchType')
  if (patch === '' && patchType !== undefined) throw new WrongAnswer('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw new WrongAnswer('webhook returned invalid response.patchType of ""')
  return { allowed, result, warnings, auditAnnotations, patch, patchType: patchType ?? '' }
}

interface SentReview {
  readonly review: JsonObject
  /** The group, version and kind that the answer gives for itself. */
  readonly identity: string
}

/** The kinds that the scheme of Go's webhook client knows, by version. */
const knownKinds: ReadonlySet<string> = new Set([`${group}/v1 ${kind}`, `${group}/v1beta1 ${kind}`, 'v1 Status'])

function readReview(text: string, version: ReviewVersion): SentReview {
  const review = parsed(text) ?? {}
  const said = sentTypeMeta(review)
  const [own, ownKind] = [said.apiVersion || `${group}/${version}`, said.kind || kind]
  if (!knownKinds.has(`${own} ${ownKind}`)) throw new UnreadableAnswer(notRegistered(own, ownKind))
  const ownVersion = own.split('/').at(-1)!
  if (ownVersion !== version || ownKind !== kind)
    throw new UnreadableAnswer(`converting (${ownVersion}.${ownKind}) to (${version}.${kind}): unknown conversion`)
  const groupVersion = said.apiVersion.includes('/') ? said.apiVersion : `/${said.apiVersion}`
  return { review: review as JsonObject, identity: `${groupVersion}, Kind=${said.kind}` }
}

function sentTypeMeta(review: unknown): TypeMeta {
  try {
    return readTypeMeta(review)
  } catch (error) {
    throw error instanceof TypeMetaError ? new UnreadableAnswer(error.message) : error
  }
}

/** Reads JSON and YAML, whatever the content type of the answer. */
function parsed(text: string): unknown {
  try {
    const value = /^\s*\{/.test(text) ? parseExact(text) : parseYaml(text).value
    if (isDeeperThan(value, maxJsonDepth)) throw new SyntaxError('exceeded max depth')
    return value
  } catch (error) {
    if (error instanceof SyntaxFailure) throw new UnreadableAnswer(error.message)
    if (!(error instanceof SyntaxError)) throw error
    throw new UnreadableAnswer(`couldn't get version/kind; json parse error: ${jsonSyntaxError(text) ?? error.message}`)
  }
}

function statusOf(fields: Fields | undefined): SentStatus | undefined {
  if (!fields) return undefined
  const part = (field: 'metadata' | 'details', name: string) => {
    const given = fields.object(field, { path: '', type: `v1.${name}` })?.value
    return given && known(name, given)
  }
  const metadata = part('metadata', 'ListMeta')
  const details = part('details', 'StatusDetails')
  return {
    status: fields.text('status'),
    message: fields.text('message'),
    reason: fields.text('reason'),
    code: fields.integer('code'),
    ...(metadata && { metadata }),
    ...(details && { details: withoutEmpty(details) })
  }
}

/** Returns the fields that Go's type has; whatever else a webhook sends would reach the client. */
function known(type: string, given: JsonObject): JsonObject {
  try {
    return decode(loadSchema().type(`meta.v1.${type}`), given).object
  } catch (error) {
    throw error instanceof DecodeError ? new UnreadableAnswer(error.message) : error
  }
}

/** Go leaves out what is empty. */
const withoutEmpty = (sent: JsonObject): StatusDetails =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== 0 && value !== '' && value !== null))

/** Whether a text is base64. A regular expression over megabytes would exhaust the stack. */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/)
  return text.length % 4 === 0 && (end < 0 || (end >= text.length - 2 && /^==?$/.test(text.slice(end))))
}

/** Reads the fields of a JSON object by type. A missing or null field has the zero value. */
class Fields {
  readonly value: JsonObject
  readonly #path: string

  constructor(value: unknown, { path, field, type }: { path: string; field: string; type: string }) {
    if (!isObject(value))
      throw new UnreadableAnswer(`json: cannot unmarshal ${describeJson(value)} into Go struct field ${field} of type ${type}`)
    this.value = value
    this.#path = path
  }

  #wrong(field: string, given: string, type: string): never {
    throw new UnreadableAnswer(`json: cannot unmarshal ${given} into Go struct field ${this.#path}.${field} of type ${type}`)
  }

  optionalText(field: string): string | undefined {
    const value = this.value[field] ?? undefined
    return value === undefined || typeof value === 'string' ? value : this.#wrong(field, describeJson(value), 'string')
  }

  text(field: string): string {
    return this.optionalText(field) ?? ''
  }

  boolean(field: string): boolean {
    const value = this.value[field] ?? false
    return typeof value === 'boolean' ? value : this.#wrong(field, describeJson(value), 'bool')
  }

  integer(field: string): number {
    const value = this.value[field] ?? 0
    if (typeof value === 'number' && (value | 0) === value) return value
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    return this.#wrong(field, isNumber ? `number ${value}` : describeJson(value), 'int32')
  }

  object(field: string, of: { path: string; type: string }): Fields | undefined {
    const value = this.value[field] ?? undefined
    return value === undefined ? undefined : new Fields(value, { ...of, field: `${this.#path}.${field}` })
  }

  texts(field: string): readonly string[] {
    const value = this.value[field] ?? []
    if (!Array.isArray(value)) return this.#wrong(field, describeJson(value), '[]string')
    return value.map(text =>
      typeof text === 'string' ? text : text === null ? '' : this.#wrong(field, describeJson(text), 'string')
    )
  }

  textMap(field: string): Record<string, string> {
    const value = this.value[field] ?? {}
    if (!isObject(value)) return this.#wrong(field, describeJson(value), 'map[string]string')
    const texts: [string, string][] = []
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string' && text !== null) this.#wrong(field, describeJson(text), 'string')
      texts.push([key, (text as string | null) ?? ''])
    }
    return Object.fromEntries(texts)
  }

  bytes(field: string): string {
    const text = this.text(field)
    if (!isBase64(text)) throw new UnreadableAnswer(`illegal base64 data at input byte ${badByte(text)}`)
    return Buffer.from(text, 'base64').toString()
  }
}

function badByte(text: string): number {
  const at = text.search(/[^A-Za-z0-9+/]/)
  return at < 0 ? text.length : at
}
