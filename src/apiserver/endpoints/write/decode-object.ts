/** Decodes a request's body into an object of the expected kind. Throws kube-apiserver's errors. */
import { parseBody, summarize } from '../../../apimachinery/formats/body.js'
import { largeBodyBytes, type ParsedBody, SyntaxFailure } from '../../../apimachinery/formats/body-format.js'
import { CborError } from '../../../apimachinery/formats/cbor/cursor.js'
import { diagnose } from '../../../apimachinery/formats/cbor/diagnostic.js'
import { readTyped } from '../../../apimachinery/formats/cbor/read-typed.js'
import { parseJson } from '../../../apimachinery/formats/json-body.js'
import { decodeBody } from '../../../apimachinery/formats/protobuf/decode.js'
import { strictFieldErrors } from '../../../apimachinery/formats/strict-fields.js'
import { writtenNumbers } from '../../../apimachinery/formats/written-numbers.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { DecodeError, decode } from '../../../apimachinery/schema/decode.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import { goTypeName, internalPackage, isRegistered, notRegistered, typeOf } from '../../../apimachinery/schema/registered.js'
import { describeJson } from '../../../apimachinery/schema/scalars.js'
import { badRequest, unsupportedBody } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import { isObject, type JsonObject } from '../../../util/json.js'
import { ProtobufError } from '../../../util/protobuf/reader.js'
import { nextTurn } from '../../../util/turns.js'
import { decodeCustom } from './decode-custom.js'
import type { FieldValidation } from './options.js'

/** The largest body, in bytes. */
export const maxBodyBytes = 3 * 1024 * 1024

export interface Expected {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly type: StructType
  /** Set on custom resources: the types of the other versions. */
  readonly typeOf?: (version: string) => StructType | undefined
  /** Other accepted versions of the kind: ["policy/v1beta1"]. */
  readonly accepts?: readonly string[] | undefined
  /** Set on options, which are accepted in every group and version. */
  readonly anyVersion?: boolean
}

export const apiVersionOf = (e: { group: string; version: string }) => (e.group === '' ? e.version : `${e.group}/${e.version}`)

/** Matches `kind` and `apiVersion` in any case, because kube-apiserver reads them with Go's encoding/json. */
function identityField(key: string): 'kind' | 'apiVersion' | undefined {
  if (key === 'kind' || key === 'apiVersion') return key
  if (key.length !== 4 && key.length !== 10) return undefined
  const folded = key.toUpperCase()
  // toUpperCase keeps the Kelvin sign, which Go folds to K
  return folded.replace('\u212a', 'K') === 'KIND' ? 'kind' : folded === 'APIVERSION' ? 'apiVersion' : undefined
}

/** Decodes a body. Fills in a missing kind and apiVersion. */
export async function decodeObject(
  context: RequestContext,
  bytes: Buffer,
  expected: Expected,
  validation: FieldValidation
): Promise<any> {
  const unrecognized = (why: string) =>
    badRequest(
      expected.anyVersion
        ? why
        : `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(bytes)})`
    )
  let body: ParsedBody
  try {
    const parsed = parseBody(context.header('content-type'), bytes, !expected.typeOf, context.cbor, context.user.name)
    body = parsed instanceof Promise ? await parsed : parsed
    if (bytes.length > largeBodyBytes) {
      context.isLarge = true
      await nextTurn()
    }
  } catch (error) {
    if (error instanceof SyntaxFailure) throw unrecognized(error.message)
    throw error
  }
  const input = body.value ?? {}
  if (!isObject(input)) throw unrecognized(noObject(input))
  const identity = body.cbor ? cborIdentity(input) : identityOf(input, unrecognized)
  if (expected.typeOf && body.message) throw unsupportedBody(['application/json', 'application/yaml'])
  if (expected.typeOf) return decodeCustom(context, { ...body, value: input, bytes }, expected, validation)
  const wanted = apiVersionOf(expected)
  // Go parses "/v1" as "v1", and "/" as empty
  const apiVersion = identity.apiVersion.replace(/^\/(?=[^/]*$)/, '') || wanted
  const kind = identity.kind || expected.kind
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw unrecognized(`unexpected GroupVersion string: ${apiVersion}`)
  const version = parts.at(-1)!
  const cannotBeHandled = (why: string) =>
    badRequest(
      expected.anyVersion ? why : `${kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${why}`
    )
  const accepted = apiVersion === wanted || expected.anyVersion || expected.accepts?.includes(apiVersion)
  if (version === '') throw cannotBeHandled(`Object 'apiVersion' is missing in '${body.cbor ? diagnose(body.cbor) : body.text}'`)
  let { type } = expected
  /** Thrown when the body has been decoded as what it says it is, and what is wrong with that has been told. */
  let misfit: Error | undefined
  if (kind !== expected.kind || !accepted) {
    const group = parts.length === 2 ? parts[0]! : ''
    if (expected.anyVersion || !isRegistered(apiVersion, kind)) throw cannotBeHandled(notRegistered(apiVersion, kind))
    const isOther =
      kind !== expected.kind || (internalPackage(group) !== internalPackage(expected.group) && group !== 'extensions')
    const unconverted = `converting (${goTypeName(version, kind)}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`
    misfit = isOther
      ? cannotBeHandled(unconverted)
      : badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`)
    // types of versions that are gone differ little from those that are here
    const own = typeOf(group, version, kind) ?? (isOther ? undefined : type)
    if (!own) throw misfit
    type = own
    if (isOther) validation = 'Ignore'
  }
  // decode reads the fields in the order of the type, so the key order here does not matter and a copy is not needed
  let unknownField: string | undefined
  const content = () => {
    if (body.message) return decodeBody(type, body.message)
    if (!body.cbor) return input
    const { document, unknownField: found } = readTyped(type, body.cbor)
    unknownField = found
    return document
  }
  const written = body.hasFractions ? writtenNumbers(body.text) : undefined
  if (written) {
    const { value } = parseJson(written.text, true)
    typed(
      type,
      () => Object.assign(value as JsonObject, { kind, apiVersion }),
      why => cannotBeHandled(written.restore(why))
    )
  }
  const { object, hasUnknown } = typed(type, () => Object.assign(content(), { kind, apiVersion }), cannotBeHandled)
  if (unknownField !== undefined && validation === 'Strict') throw cannotBeHandled(`strict decoding error: ${unknownField}`)
  if (unknownField !== undefined && validation === 'Warn') context.warn(unknownField)
  if (validation !== 'Ignore' && !body.cbor && (hasUnknown || body.hasDuplicates || body.yamlDuplicates.length > 0)) {
    const problems = strictFieldErrors(body.text, type)
    if (validation === 'Strict') {
      const yaml = body.yamlDuplicates.length > 0 ? [`yaml: unmarshal errors:\n  ${body.yamlDuplicates.join('\n  ')}`] : []
      throw cannotBeHandled(`strict decoding error: ${[...yaml, ...problems].join(', ')}`)
    }
    for (const problem of [...body.yamlDuplicates, ...problems]) context.warn(problem)
  }
  if (misfit) throw misfit
  return object
}

/** Why a value that is no object has no kind. */
export const noObject = (value: unknown): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`

/** Finds the kind and apiVersion of a JSON document. Throws for one that is no text. */
function identityOf(input: JsonObject, unrecognized: (why: string) => Error) {
  const identity = { kind: '', apiVersion: '' }
  for (const key in input) {
    const field = identityField(key)
    const value = field && input[key]
    if (!field || value === null || value === undefined) continue
    if (typeof value !== 'string')
      throw unrecognized(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${describeJson(value)} into Go struct field .${field} of type string`
      )
    identity[field] = value
  }
  return identity
}

/** In CBOR, a malformed apiVersion counts as none. */
function cborIdentity({ kind, apiVersion }: JsonObject) {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { kind: text(kind), apiVersion: text(apiVersion).split('/').length > 2 ? '' : text(apiVersion) }
}

function typed(type: StructType, input: () => unknown, wrap: (why: string) => Error) {
  try {
    return decode(type, input())
  } catch (error) {
    throw error instanceof DecodeError || error instanceof ProtobufError || error instanceof CborError
      ? wrap(error.message)
      : error
  }
}
