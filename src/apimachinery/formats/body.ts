/** Reads a request's body: media type, JSON, YAML or Protobuf, and properties that only the text reveals. */

import { parseExact } from '../../util/exact-json.js'
import { maxJsonDepth } from '../../util/json.js'
import { ProtobufError } from '../../util/protobuf/reader.js'
import { nextTurn } from '../../util/turns.js'
import { unsupportedBody } from '../status/status.js'
import { CborError } from './cbor/cursor.js'
import { readCborMap } from './cbor/read.js'
import { readIdentity } from './cbor/read-typed.js'
import { checkWellFormed } from './cbor/well-formed.js'
import { endlessNumber, scanJson } from './duplicate-keys.js'
import { jsonSyntaxError } from './json-syntax.js'
import { parseMediaType } from './media-type.js'
import { mergingParse } from './merging-parse.js'
import { bodyMediaTypes } from './negotiate.js'
import { unwrap } from './protobuf/envelope.js'
import { utf8Problem } from './utf8-problem.js'
import { checkValueCount, maxValues } from './value-limit.js'
import { readYamlAsJson, type YamlAsJson } from './yaml-json.js'
import { YamlError } from './yaml-parse.js'
import { longestAtOnce, readYamlAside } from './yaml-thread.js'

/** A body larger than this takes milliseconds at every step. */
export const largeBodyBytes = 128 * 1024

export interface ParsedBody {
  readonly value: unknown
  /** The document as JSON, for the strict decoder. YAML comes with sorted keys. */
  readonly text: string
  /** Strict-decoding messages of the YAML parser, e.g. `line 7: key "k" already set in map`. */
  readonly yamlDuplicates: readonly string[]
  readonly hasDuplicates: boolean
  /** A number in the body that overflows a double: "1e400". */
  readonly endless?: string | undefined
  /** Whether numbers in the body may be written in another way than JavaScript writes them: "1.0". */
  readonly hasFractions?: boolean
  /** A Protobuf message, to be decoded once the type is known. Until then, `value` holds only its kind and version. */
  readonly message?: Buffer
  /** A document in CBOR, to be decoded likewise. */
  readonly cbor?: Buffer
  /** Why the document cannot be decoded, although its kind and version can. */
  readonly problem?: string
}

/** The body is neither JSON nor YAML nor CBOR nor an enveloped Protobuf message. */
export class SyntaxFailure extends Error {}

const none: readonly string[] = []

/** "application/json" for a missing header; '' for one that cannot be parsed. */
function mediaTypeOf(contentType: string | undefined): string {
  if (!contentType || contentType === 'application/json') return 'application/json'
  return parseMediaType(contentType) ?? ''
}

/** Throws 415 for a media type that bodies cannot have. */
export function checkBodyType({ cbor }: { readonly cbor: boolean }, contentType: string | undefined): void {
  if (!bodyMediaTypes(cbor).includes(mediaTypeOf(contentType))) throw unsupportedBody(bodyMediaTypes(cbor))
}

/**
 * Parses a body. `typed`: for a Go struct, which merges the values of repeated keys, and which may need the digits of any
 * integer. `cbor`: whether bodies may be CBOR. `user`: who has sent it. Throws or rejects with SyntaxFailure, or with a StatusError 415 for a media type that bodies cannot have.
 */
export function parseBody(
  contentType: string | undefined,
  body: Buffer,
  typed = false,
  cbor = false,
  user = ''
): ParsedBody | Promise<ParsedBody> {
  const type = mediaTypeOf(contentType)
  if (type === 'application/json') {
    checkValueCount(body)
    const text = body.toString('utf8')
    return body.length > largeBodyBytes ? parseInTurns(text, typed, body) : parseJson(text, typed, body)
  }
  if (type === 'application/yaml') {
    const problem = utf8Problem(body)
    if (problem) throw new SyntaxFailure(`yaml: ${problem}`)
    return parseYamlAside(body.toString('utf8'), user)
  }
  if (type === 'application/vnd.kubernetes.protobuf') return parseProtobuf(body)
  if (type === 'application/cbor' && cbor) return typed ? parseTypedCbor(body) : parseCbor(body)
  throw unsupportedBody(bodyMediaTypes(cbor))
}

/** Parses JSON text. `typed`: as for parseBody; `source`: the text, or its bytes, which an error quotes. Throws SyntaxFailure. */
export const parseJson = (text: string, typed: boolean, source: string | Buffer = text): ParsedBody =>
  checkedJson(text, readJson(text, typed, source), typed)

async function parseInTurns(text: string, typed: boolean, source: Buffer): Promise<ParsedBody> {
  await nextTurn()
  const value = readJson(text, typed, source)
  await nextTurn()
  return checkedJson(text, value, typed)
}

function readJson(text: string, wide: boolean, source: string | Buffer): unknown {
  try {
    return parseExact(text, wide)
  } catch {
    throw new SyntaxFailure(`couldn't get version/kind; json parse error: ${jsonSyntaxError(source) ?? 'invalid JSON'}`)
  }
}

function checkedJson(text: string, value: unknown, typed: boolean): ParsedBody {
  const { duplicates, hasExponents, hasFractions, depth } = scanJson(text)
  if (depth > maxJsonDepth)
    throw new SyntaxFailure(`couldn't get version/kind; json parse error: ${jsonSyntaxError(text) ?? 'exceeded max depth'}`)
  const hasDuplicates = duplicates.length > 0
  const endless = hasExponents ? endlessNumber(text) : undefined
  const merged = hasDuplicates && typed ? mergingParse(text) : value
  return { value: merged, text, yamlDuplicates: none, hasDuplicates, endless, hasFractions }
}

function parseProtobuf(body: Buffer): ParsedBody {
  try {
    const { kind, apiVersion, message } = unwrap(body)
    // a malformed apiVersion counts as none here
    const value = { kind, apiVersion: apiVersion.split('/').length > 2 ? '' : apiVersion }
    return { value, text: '', yamlDuplicates: none, hasDuplicates: false, message }
  } catch (error) {
    throw error instanceof ProtobufError ? new SyntaxFailure(error.message) : error
  }
}

/** Reads the kind of a document in CBOR, whose type says how to decode it. */
function parseTypedCbor(body: Buffer): ParsedBody {
  return { value: cborIdentity(body), text: '', yamlDuplicates: none, hasDuplicates: false, cbor: body }
}

/** Parses CBOR without a type. Repeated keys are errors. */
function parseCbor(body: Buffer): ParsedBody {
  const rest = { text: '', yamlDuplicates: none, hasDuplicates: false, cbor: body }
  try {
    return { ...rest, value: readCborMap(body) }
  } catch (error) {
    if (!(error instanceof CborError)) throw error
    return { ...rest, value: cborIdentity(body), problem: error.message }
  }
}

function cborIdentity(body: Buffer): unknown {
  try {
    checkWellFormed(body)
    return readIdentity(body)
  } catch (error) {
    throw error instanceof CborError ? new SyntaxFailure(`unable to determine group/version/kind: ${error.message}`) : error
  }
}

/** Parses the first document of a YAML text. Throws SyntaxFailure. */
export function parseYaml(text: string): ParsedBody {
  try {
    return yamlBody(readYamlAsJson(text))
  } catch (error) {
    throw yamlFailure(error)
  }
}

/** As parseYaml, for a text of any length: a long one is parsed in another thread, where users have turns. */
export async function parseYamlAside(text: string, user: string): Promise<ParsedBody> {
  if (text.length <= longestAtOnce) return parseYaml(text)
  try {
    return yamlBody(await readYamlAside(text, user))
  } catch (error) {
    throw yamlFailure(error)
  }
}

function yamlBody({ json, duplicates }: YamlAsJson): ParsedBody {
  // a short document has few values, unless anchors multiply them
  if (json.length > maxValues) checkValueCount(Buffer.from(json))
  return { value: parseExact(json), text: json, yamlDuplicates: duplicates, hasDuplicates: false }
}

const yamlFailure = (error: unknown) => (error instanceof YamlError ? new SyntaxFailure(error.message) : error)

/** Returns the beginning of an unreadable body, as error messages show it. */
export function summarize(body: Buffer): string {
  const max = 30
  if (body.length === 0) return '<empty>'
  const encoding = body[0] === 0x7b ? 'utf8' : 'hex'
  return body.length > max ? `${body.subarray(0, max).toString(encoding)} ...` : body.toString(encoding)
}
