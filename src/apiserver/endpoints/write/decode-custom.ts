/** Decodes a body into a custom resource. Its fields follow its schema, and it must name its kind itself. */

import { summarize } from '../../../apimachinery/formats/body.js'
import type { ParsedBody } from '../../../apimachinery/formats/body-format.js'
import { diagnose } from '../../../apimachinery/formats/cbor/diagnostic.js'
import { parseJson } from '../../../apimachinery/formats/json-body.js'
import { strictFieldErrors } from '../../../apimachinery/formats/strict-fields.js'
import { writtenNumbers } from '../../../apimachinery/formats/written-numbers.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { DecodeError, decode } from '../../../apimachinery/schema/decode.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import { allFields } from '../../../apimachinery/schema/unknown-fields.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import type { JsonObject } from '../../../util/json.js'
import type { Expected } from './decode-object.js'
import type { FieldValidation } from './options.js'

export interface CustomBody extends ParsedBody {
  readonly value: JsonObject
  readonly bytes: Buffer
}

export function decodeCustom(context: RequestContext, body: CustomBody, expected: Expected, validation: FieldValidation): any {
  const { value, bytes } = body
  const { kind, apiVersion } = identityOf(body, expected)
  const unrecognized = (why: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(bytes)})`)
  if (kind === '')
    throw unrecognized(`Object 'Kind' is missing in '${body.cbor ? diagnose(body.cbor) : bytes.toString().trim()}'`)
  if (apiVersion.split('/').length > 2) throw unrecognized(`unexpected GroupVersion string: ${apiVersion}`)
  const version = apiVersion.split('/').at(-1)!
  const cannotBeHandled = (why: string, as = expected.kind) =>
    badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${as}: ${why}`)
  if (body.problem !== undefined) throw cannotBeHandled(body.problem)
  if (body.cbor && version === '') throw cannotBeHandled(`Object 'apiVersion' is missing in '${diagnose(body.cbor)}'`)
  if (body.endless !== undefined)
    throw cannotBeHandled(`json: cannot unmarshal number ${body.endless} into Go value of type float64`)
  if (value.apiVersion === null) throw cannotBeHandled('.apiVersion accessor error: <nil> is of the type <nil>, expected string')
  // a document in YAML has become JSON on its way, where whole numbers are integers
  const written = body.hasFractions ? writtenNumbers(body.text) : undefined
  if (written) context.floats = written.wholeIn(parseJson(written.text, false).value)
  const wanted = `${expected.group}/${expected.version}`
  // a document of another version is decoded by that version's schema before it is refused
  const type = apiVersion === wanted ? expected.type : expected.typeOf?.(version)
  const decoded = read(type, expected.type, value, cannotBeHandled)
  // kube-apiserver looks for unknown fields of custom resources in JSON and YAML only
  if (validation !== 'Ignore' && !body.cbor) {
    const ofGroup = apiVersion.startsWith(`${expected.group}/`)
    // the schema says nothing about other kinds and groups, but all objects have the same metadata
    const unknown = kind === expected.kind && ofGroup ? decoded.unknown : decoded.unknown.filter(isInMetadata)
    const fields = unknown.map(path => `unknown field ${goQuote(path)}`)
    const problems = [...duplicates(body), ...fields]
    // the object is decoded by then, and has its own kind
    if (problems.length > 0 && validation === 'Strict')
      throw cannotBeHandled(`strict decoding error: ${problems.join(', ')}`, kind)
    // a warning for each line of YAML
    const warnings = body.yamlDuplicates.length > 0 ? [...body.yamlDuplicates, ...fields] : problems
    for (const warning of warnings) context.warn(warning)
  }
  if (apiVersion !== wanted)
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`)
  // another kind is refused by the validation, after what comes before it
  return withoutZeroDeletion(decoded.object)
}

/** A deletionTimestamp that is zero is lost when kube-apiserver decodes the metadata of a custom resource. An apply does not decode them. */
export function withoutZeroDeletion<T extends { metadata?: { deletionTimestamp?: unknown } }>(object: T): T {
  if (object.metadata?.deletionTimestamp === null) delete object.metadata.deletionTimestamp
  return object
}

function identityOf({ cbor, value, problem }: CustomBody, { group, version, kind }: Expected) {
  const withoutSlash = (apiVersion: string) => apiVersion.replace(/^\/(?=[^/]*$)/, '')
  if (!cbor) return { kind: (value.kind ?? '') as string, apiVersion: withoutSlash((value.apiVersion ?? '') as string) }
  const text = (given: unknown) => (typeof given === 'string' ? given : '')
  const given = { kind: text(value.kind), apiVersion: withoutSlash(text(value.apiVersion)) }
  // the error of a document that cannot be decoded has what it says, or what the path says
  if (problem !== undefined) return { kind: given.kind || kind, apiVersion: given.apiVersion || `${group}/${version}` }
  // otherwise a malformed apiVersion hides the kind, too
  return given.apiVersion.split('/').length > 2 ? { kind: '', apiVersion: '' } : given
}

const isInMetadata = (field: string) => field.startsWith('metadata.')

/**
 * Decodes the value. `type`: undefined for a version that does not exist, so that every field is unknown but those of the metadata, which any type
 * of the resource has.
 */
function read(type: StructType | undefined, any: StructType, value: JsonObject, wrap: (why: string) => Error) {
  try {
    if (!type) {
      const { kind, apiVersion, metadata, ...rest } = value
      const { object, unknown } = decode(any, metadata === undefined ? { kind, apiVersion } : { kind, apiVersion, metadata })
      return { object, unknown: [...unknown!, ...allFields(rest)] }
    }
    const { object, unknown } = decode(type, value)
    return { object, unknown: unknown! }
  } catch (error) {
    throw error instanceof DecodeError ? wrap(error.message) : error
  }
}

function duplicates({ text, hasDuplicates, yamlDuplicates }: ParsedBody): string[] {
  if (yamlDuplicates.length > 0) return [`yaml: unmarshal errors:\n  ${yamlDuplicates.join('\n  ')}`]
  return hasDuplicates ? strictFieldErrors(text, 'any') : []
}
