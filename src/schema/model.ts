/**
 * The one type model for built-in and custom types. From it come decoding, defaulting, pruning, patches, apply, OpenAPI
 * and Protobuf. Built-in types are loaded from the generated table (see load.ts and scripts/generate-schema.mjs).
 */
import type { JsonObject } from '../util/json.js'

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
  /** metav1.FieldsV1: a JSON object of field sets */
  | 'fieldsV1'
  /** runtime.RawExtension: any object, kept as it is */
  | 'raw'
  /** Any JSON value, kept as it is (apiextensions JSON) */
  | 'json'
  /** apiextensions' JSON schemas where something else may stand instead; kept as they are */
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStringArray'

export interface ScalarType {
  readonly kind: 'scalar'
  readonly scalar: Scalar
  /** How Go prints the type in a decoding error: "string", "int32", "v1.Protocol", "types.UID". */
  readonly go: string
}

export interface ListType {
  readonly kind: 'list'
  readonly items: Type
  /** What a declared field would say of the items, where they are lists or maps of their own. */
  readonly element?: Field | undefined
  readonly go: string
}

export interface MapType {
  readonly kind: 'map'
  readonly values: Type
  /** As for lists. */
  readonly element?: Field | undefined
  /** Values that are no maps may stand here too: the form is read off each value. */
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
  /** Set on types that are whole objects: what x-kubernetes-group-version-kind says. */
  readonly gvks: readonly { group: string; version: string; kind: string }[]
  /** x-kubernetes-map-type of the struct: 'atomic' structs have one owner in server-side apply. */
  readonly mapType?: 'atomic' | 'granular' | undefined
  /** x-kubernetes-unions, as is, for OpenAPI. */
  readonly unions?: unknown
  /** What fields that are not declared hold; undefined where there may be none. Only custom resources have such structs. */
  readonly rest?: Type | undefined
  /** Set on the types of custom resources, which keep what they are given instead of taking on Go's form. */
  readonly decoder?: ((input: JsonObject) => { object: JsonObject; unknown: readonly string[] }) | undefined
}

export type Type = ScalarType | ListType | MapType | StructType

export interface Field {
  /** JSON name. */
  readonly name: string
  readonly type: Type
  /**
   * Whether it is written when empty: 'never' drops the zero value (Go's omitempty on a value), 'present' keeps what was
   * given, even a zero (Go's pointers), 'always' writes it even when nothing was given: null, "", 0, false, "0" or {}.
   */
  readonly presence: 'never' | 'present' | 'always'
  /** Go pointer: absent and zero differ. */
  readonly pointer: boolean
  /** Declared required by OpenAPI. */
  readonly required: boolean
  /** Default declared in the schema (x in `+default=x`), beyond zero values. */
  readonly default?: unknown
  readonly enum?: readonly string[] | undefined
  readonly listType?: 'atomic' | 'set' | 'map' | undefined
  readonly listMapKeys?: readonly string[] | undefined
  readonly mapType?: 'atomic' | 'granular' | undefined
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined
  readonly patchMergeKey?: string | undefined
  /** Protobuf field numbers from the message down: more than one where Go embeds a struct that Protobuf nests. */
  readonly proto: readonly number[]
  /** The Go structs from which the field is taken in, outermost first: they stand in the paths of decoding errors. */
  readonly embeddedIn?: readonly string[] | undefined
  /** The Go field name, which kube-apiserver prints when it prints internal values. */
  readonly goName: string
}
