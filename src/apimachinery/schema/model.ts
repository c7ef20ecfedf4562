/**
 * The one type model for built-in and custom types. Decoding, defaulting, pruning, patches, apply, OpenAPI and Protobuf derive
 * from it. Built-in types are loaded from the generated table (see load.ts and scripts/generate/schema.mjs).
 */
import type { JsonObject } from '../../util/json.js'

export type Scalar =
  | 'string'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bool'
  /** base64 in JSON */
  | 'bytes'
  /** resource.Quantity: canonical string, e.g. "100m" */
  | 'quantity'
  /** intstr.IntOrString: integer or string */
  | 'intOrString'
  /** metav1.Time: RFC 3339 with second precision; null when zero */
  | 'time'
  /** metav1.MicroTime: RFC 3339 with exactly six fractional digits; null when zero */
  | 'microTime'
  /** metav1.Duration: the text of a Go duration. Only configuration files have it. */
  | 'duration'
  /** metav1.FieldsV1: a JSON object of field sets. Any JSON can be decoded as one; what is none is ignored later. */
  | 'fieldsV1'
  /** runtime.RawExtension: any object, kept verbatim */
  | 'raw'
  /** Any JSON value, kept verbatim (apiextensions JSON) */
  | 'json'
  /** apiextensions' JSON schemas, or the value that may stand in place of one; kept verbatim */
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStringArray'

export interface ScalarType {
  readonly kind: 'scalar'
  readonly scalar: Scalar
  /** The type as Go prints it in a decoding error: "string", "int32", "v1.Protocol", "types.UID". */
  readonly go: string
}

export interface ListType {
  readonly kind: 'list'
  readonly items: Type
  /** The properties that a declared field would have, for items that are lists or maps themselves. */
  readonly element?: Field | undefined
  readonly go: string
}

export interface MapType {
  readonly kind: 'map'
  readonly values: Type
  /** As for lists. */
  readonly element?: Field | undefined
  /** True when values that are not maps may stand here too: each value decides how it is treated. */
  readonly deduced?: boolean
  readonly go: string
}

export interface StructType {
  readonly kind: 'struct'
  /** Short name: "core.v1.PodSpec", "meta.v1.ObjectMeta". */
  readonly name: string
  /** The Go type as printed in errors: "v1.PodSpec". */
  readonly go: string
  /** In the order in which they are written. */
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  readonly required: readonly string[]
  /** Set on types of whole objects: the value of x-kubernetes-group-version-kind. */
  readonly gvks: readonly { group: string; version: string; kind: string }[]
  /** x-kubernetes-map-type of the struct: in server-side apply an 'atomic' struct has one owner. */
  readonly mapType?: 'atomic' | 'granular' | undefined
  /** x-kubernetes-unions, as is, for OpenAPI. */
  readonly unions?: unknown
  /** The type of undeclared fields; undefined when there may be none. Only custom resources have such structs. */
  readonly rest?: Type | undefined
  /** Set on the types of custom resources, whose objects keep the form that the client sent. */
  readonly decoder?: ((input: JsonObject) => { object: JsonObject; unknown: readonly string[] }) | undefined
}

export type Type = ScalarType | ListType | MapType | StructType

export interface Field {
  /** JSON name. */
  readonly name: string
  readonly type: Type
  /**
   * How an empty field is written: 'never' drops the zero value (Go's omitempty on a value), 'present' keeps a given value, even
   * a zero (Go's pointers), 'always' writes the field even when none was given: null, "", 0, false, "0" or {}.
   */
  readonly presence: 'never' | 'present' | 'always'
  /** Go pointer: absent and zero differ. */
  readonly pointer: boolean
  /** Declared required by OpenAPI. */
  readonly required: boolean
  /** The default declared in the schema (x in `+default=x`), apart from zero values. */
  readonly default?: unknown
  readonly enum?: readonly string[] | undefined
  /** Whether null is a value; undefined in built-in types, where it stands for an empty one. */
  readonly nullable?: boolean | undefined
  readonly listType?: 'atomic' | 'set' | 'map' | undefined
  readonly listMapKeys?: readonly string[] | undefined
  readonly mapType?: 'atomic' | 'granular' | undefined
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined
  readonly patchMergeKey?: string | undefined
  /** Protobuf field numbers from the message downwards: more than one where Go embeds a struct that Protobuf nests. */
  readonly proto: readonly number[]
  /** The embedded Go structs that the field comes from, outermost first. They appear in the paths of decoding errors. */
  readonly embeddedIn?: readonly string[] | undefined
  /** The Go field name, which kube-apiserver prints when it prints internal values. */
  readonly goName: string
}
