/** The formats of bodies, JSON, YAML, Protobuf and CBOR, as one interface. `body.ts` finds the one that a header names. */
import type { MediaType } from './negotiate.js'

export interface BodyFormat {
  readonly mediaType: MediaType
  /** Parses a body. Throws or rejects with SyntaxFailure. */
  parse(body: Buffer, purpose: ParsePurpose): ParsedBody | Promise<ParsedBody>
  /** Encodes an object. `sorted`: with sorted keys, as custom resources have them. */
  encode(object: unknown, pretty: boolean, sorted: boolean): Buffer
}

export interface ParsePurpose {
  /** For a Go struct, which merges the values of repeated keys, and which may need the digits of any integer. */
  readonly typed: boolean
  /** Who has sent the body. */
  readonly user: string
}

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
