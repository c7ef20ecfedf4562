/**
 * The interface by which libraries of schemas (Zod, Valibot, ArkType, TypeBox' adapters …) say what their schemas accept: Standard Schema
 * (standardschema.dev) and Standard JSON Schema. Structural types: nothing of those libraries is needed.
 */

/**
 * A schema of a library that implements Standard Schema.
 *
 * @example
 * const course: StandardSchema = z.object({ spec: z.object({ seats: z.number().int() }) })
 */
export interface StandardSchema<Input = unknown, Output = unknown> {
  readonly '~standard': {
    readonly version: number
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Standard JSON Schema, where the library has it. */
    readonly jsonSchema?: JsonSchemaConverter | undefined
  }
}

interface JsonSchemaConverter {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
}

/**
 * A schema of TypeBox: JSON Schema with a type.
 *
 * @example
 * const course: TypedJsonSchema<{ spec: { seats: number } }> = Type.Object({ spec: Type.Object({ seats: Type.Integer() }) })
 */
export interface TypedJsonSchema<Static = unknown> {
  readonly static: Static
}
