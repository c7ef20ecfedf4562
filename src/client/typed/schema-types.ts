/** The types of objects, inferred from the schema of their kind. */
import type { Draft } from './draft.js'
import type { KindTypes, OwnSubresources } from './kind-types.js'
import type { NamedMetadata, NamespacedMetadata, NewMetadata } from './metadata.js'
import type { StandardSchema, TypedJsonSchema } from './standard-schema.js'

/**
 * A JSON Schema as a literal: its types come through where it is written in `defineKind`, or with `as const`.
 *
 * @example
 * const schema = { type: 'object', properties: { spec: { type: 'object' } } } as const satisfies JsonSchema
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** Whether a field of a schema is there: always in answers, in new objects unless it has a default. */
type Form = 'answer' | 'create'

/** The fields that all objects have, which a schema may restrict but not type. */
type Own = 'apiVersion' | 'kind' | 'metadata'

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never

/** The names of fields that are there. */
type Present<P, S, F extends Form> = F extends 'answer'
  ? { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : K extends RequiredOf<S> ? K : never }[keyof P]
  : { [K in keyof P]: P[K] extends { readonly default: unknown } ? never : K extends RequiredOf<S> ? K : never }[keyof P]

/** Shows the fields of an intersection as one object. */
type Flat<T> = { [K in keyof T]: T[K] }

type Fields<P, S, F extends Form, Without = never> = Flat<
  { -readonly [K in Exclude<Present<P, S, F>, Without> & keyof P]: FromSchema<P[K], F> } & {
    -readonly [K in Exclude<keyof P, Present<P, S, F> | Without>]?: FromSchema<P[K], F> | undefined
  }
>

type Unknown<S> = S extends { readonly 'x-kubernetes-preserve-unknown-fields': true } ? { [field: string]: unknown } : unknown

type ObjectOf<S, F extends Form> = S extends { readonly properties: infer P }
  ? Fields<P, S, F> & Unknown<S>
  : S extends { readonly additionalProperties: infer Values }
    ? Record<string, Values extends boolean ? unknown : FromSchema<Values, F>>
    : Record<string, unknown>

type Values<S, F extends Form> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? number | string
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly const: infer Value }
      ? Value
      : S extends { readonly type: infer Type }
        ? // a schema that is no literal
          string extends Type
          ? any
          : Typed<Type extends readonly (infer One)[] ? One : Type, S, F>
        : S extends { readonly properties: unknown }
          ? ObjectOf<S, F>
          : unknown

type Typed<Type, S, F extends Form> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? S extends { readonly items: infer Items }
            ? FromSchema<Items, F>[]
            : unknown[]
          : Type extends 'object'
            ? ObjectOf<S, F>
            : unknown

/**
 * The type of what a JSON Schema describes: as the server answers with it, or as a new object has to be.
 *
 * @example
 * type Spec = FromSchema<{ type: 'object'; properties: { seats: { type: 'integer' } }; required: ['seats'] }>
 */
export type FromSchema<S, F extends Form = 'answer'> = Values<S, F> | (S extends { readonly nullable: true } ? null : never)

/** The schema in a version of a kind: the JSON Schema of a definition, or a schema by itself. */
type SchemaIn<Version> = Version extends { readonly schema: infer S }
  ? S extends { readonly openAPIV3Schema: infer Inner }
    ? Inner
    : S
  : unknown

/** The fields of a kind by its schema: all but those that every object has. */
type FieldsBySchema<S, F extends Form> =
  S extends StandardSchema<infer Input, infer Output>
    ? Omit<F extends 'answer' ? Output : Input, Own>
    : S extends TypedJsonSchema<infer Static>
      ? Omit<Static, Own>
      : S extends { readonly type: infer Type }
        ? string extends Type
          ? any
          : S extends { readonly properties: infer P }
            ? Fields<P, S, F, Own> & Unknown<S>
            : { [field: string]: any }
        : any

/** An object whose fields its schema says. */
export type SchemaObject<S> = 0 extends 1 & FieldsBySchema<S, 'answer'>
  ? any
  : { kind: string; apiVersion: string; metadata: NamespacedMetadata } & FieldsBySchema<S, 'answer'>

type SubresourcesOf<Version, T> = Version extends { readonly subresources: infer Subresources }
  ? Pick<OwnSubresources<T>, keyof Subresources & keyof OwnSubresources<T>>
  : Record<never, never>

/** What clients of a kind take, by its schema. */
export interface SchemaTypes<S, Version>
  extends KindTypes<
    SchemaObject<S>,
    { kind?: string; apiVersion?: string; metadata: NewMetadata } & FieldsBySchema<S, 'create'>,
    { kind?: string; apiVersion?: string; metadata: NamedMetadata } & Draft<FieldsBySchema<S, 'create'>>,
    SubresourcesOf<Version, SchemaObject<S>>
  > {}

/** The type of the objects of a version, by its schema. */
export type ObjectOfVersion<Version> = SchemaObject<SchemaIn<Version>>

/** What clients of a version take, by its schema; unknown where it says nothing. */
export type TypesOfVersion<Version> = 0 extends 1 & ObjectOfVersion<Version> ? unknown : SchemaTypes<SchemaIn<Version>, Version>
