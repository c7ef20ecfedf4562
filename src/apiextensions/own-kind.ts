/**
 * Kinds that an embedder of a server writes in TypeScript: a schema as a CustomResourceDefinition would have it, and functions
 * in place of webhooks. They need no definition in the store, and the server serves them from its first request on.
 */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../apimachinery/api/generated/apiextensions-v1.js'
import type { DeclaredKind, KubeObject } from '../apimachinery/api/kube-object.js'
import type { OperationContext } from '../apimachinery/request/admission.js'
import { DecodeError, decode } from '../apimachinery/schema/decode.js'
import { loadSchema } from '../apimachinery/schema/load.js'
import { FieldErrors } from '../apimachinery/validation/field.js'
import { definitionSpec } from '../client/typed/definition-of-kind.js'
import type { MetadataDraft } from '../client/typed/metadata.js'
import type { ObjectOfVersion, TypesOfVersion } from '../client/typed/schema-types.js'
import { customResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.js'
import type { Resource } from '../registry/resource.js'
import type { StrategyContext } from '../registry/strategy-context.js'
import { UserError } from '../util/user-error.js'
import type { StrategyHooks } from './custom-kind.js'
import { type ResourceParts, resourcesOf } from './resources.js'
import { indexesAnnotation, isIndexPath, maxIndexes } from './selectable-fields.js'

/**
 * A version of a kind of your own, as in `spec.versions` of a CustomResourceDefinition. Its schema may also be a JSON Schema by itself, or
 * the schema of a library: of TypeBox, or one that implements Standard JSON Schema, as Zod's do. `structuralSchema` says how they become
 * schemas of definitions.
 *
 * @example
 * const v1: OwnVersion = {
 *   name: 'v1',
 *   schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
 *   subresources: { status: {} }
 * }
 */
export type OwnVersion = Readonly<
  Omit<
    CustomResourceDefinitionVersion,
    'served' | 'storage' | 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
  >
> & {
  readonly served?: boolean
  readonly storage?: boolean
  readonly schema: object
  readonly subresources?: {
    readonly status?: object | undefined
    readonly scale?:
      | {
          readonly specReplicasPath: string
          readonly statusReplicasPath: string
          readonly labelSelectorPath?: string | undefined
        }
      | undefined
  }
  readonly additionalPrinterColumns?: readonly Readonly<
    NonNullable<CustomResourceDefinitionVersion['additionalPrinterColumns']>[number]
  >[]
  readonly selectableFields?: readonly Readonly<NonNullable<CustomResourceDefinitionVersion['selectableFields']>[number]>[]
}

/**
 * A kind of your own: a schema, as a CustomResourceDefinition has it, and functions for what a schema cannot say.
 *
 * @example
 * const course: OwnKind<Course> = {
 *   group: 'school.example.com',
 *   kind: 'Course',
 *   resource: 'courses',
 *   versions: [v1],
 *   validate({ spec }, errors) {
 *     if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
 *   }
 * }
 */
export interface OwnKind<T extends KubeObject = any, Types = unknown> extends DeclaredKind<T, Types> {
  /** Your own domain: "example.com". */
  readonly group: string
  readonly kind: string
  /** The plural, as in paths. */
  readonly resource: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Whether objects lie in namespaces; true. */
  readonly namespaced?: boolean
  /**
   * As in a CustomResourceDefinition: schema, subresources, additionalPrinterColumns, selectableFields, deprecation. The first
   * is stored, all are served, unless they say otherwise.
   */
  readonly versions: readonly [OwnVersion, ...OwnVersion[]]
  /**
   * Fields by which filters find objects without looking at all (docs/queries.md): `['.spec.course']`. Selectable fields have an index
   * anyway.
   */
  readonly indexes?: readonly string[]
  /** Sets defaults that the schema cannot express. Changes the object, which may be without a name: with `generateName`. */
  default?(object: Incoming<T>, context: Pick<OperationContext, 'now'>): void
  /** Sets the fields of a new object that only the server sets, before validation. Changes the object. */
  prepareForCreate?(object: T, context: OperationContext): void | Promise<void>
  /** The same for an update. */
  prepareForUpdate?(object: T, old: T, context: OperationContext): void | Promise<void>
  /** Adds to `errors` what is wrong with the object. Runs on every write, after the validation of the schema. */
  validate?(object: T, errors: FieldErrors, context: OperationContext): void
  /** Adds to `errors` what an update may not change. */
  validateUpdate?(object: T, old: T, errors: FieldErrors, context: OperationContext): void
  /** Returns texts of Warning headers. */
  warnings?(object: T, old: T | undefined, context: OperationContext): string[]
  /** Runs when an object is gone for good. */
  afterDelete?(object: T, context: OperationContext): void
}

/**
 * An object as a request brings it, before the server gives it the metadata that all objects have.
 *
 * @example
 * default({ metadata, spec }: Incoming<Course>) { spec.code ??= metadata.name ?? 'none' }
 */
export type Incoming<T> = 0 extends 1 & T ? any : Omit<T, 'metadata'> & { metadata: MetadataDraft }

/** A kind whose versions say what its objects are, unless `T` does. */
type Declared<T extends KubeObject, Versions> = [T] extends [never]
  ? Versions extends readonly [infer First, ...unknown[]]
    ? OwnKind<ObjectOfVersion<First>, TypesOfVersion<First>>
    : OwnKind
  : OwnKind<T>

/**
 * Declares a kind for `createServer({ kinds: [...] })`. It returns its argument and is there for the types: those of the objects that the
 * functions get and that clients take are inferred from the schema of the first version, where that is a literal or has a type.
 * `defineKind<Course>` says the type of the objects itself.
 *
 * @example
 * const course = defineKind({
 *   group: 'school.example.com',
 *   kind: 'Course',
 *   resource: 'courses',
 *   versions: [
 *     {
 *       name: 'v1',
 *       schema: {
 *         type: 'object',
 *         required: ['spec'],
 *         properties: { spec: { type: 'object', required: ['seats'], properties: { seats: { type: 'integer', default: 20 } } } }
 *       }
 *     }
 *   ],
 *   validate({ spec }, errors) {
 *     if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
 *   }
 * })
 * const server = createServer({ kinds: [course] })
 */
export function defineKind<
  T extends KubeObject = never,
  const Versions extends readonly [OwnVersion, ...OwnVersion[]] = readonly [OwnVersion, ...OwnVersion[]]
>(kind: NoInfer<Omit<Declared<T, Versions>, 'versions'>> & { readonly versions: Versions }): Declared<T, Versions> {
  return kind as unknown as Declared<T, Versions>
}

export type OwnKindParts = Omit<ResourceParts, 'life' | 'schemaOf' | 'hooks'>

/** Makes the resources of an own kind. Throws a UserError with the errors in its declaration. */
export function ownResources(own: OwnKind, builtinGroups: ReadonlySet<string>, parts: OwnKindParts): Resource[] {
  if (builtinGroups.has(own.group))
    throw new UserError(
      `the kind ${own.kind} cannot be served: the group ${own.group} is built in; choose one of your own domain`
    )
  const definition = definitionOf(own)
  checkDefinition(definition)
  checkIndexes(own)
  const { names } = definition.spec
  const accepted = { ...definition, status: { ...definition.status, acceptedNames: names } }
  const schemaOf = (version: string) => definition.spec.versions!.find(v => v.name === version)!.schema!.openAPIV3Schema!
  return resourcesOf(accepted, { ...parts, life: { terminating: false }, schemaOf, hooks: hooksOf(own) })
}

function definitionOf(own: OwnKind): CustomResourceDefinition {
  try {
    return decodeDefinition(own)
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof UserError)) throw error
    throw new UserError(`the kind ${own.kind} of group ${own.group} cannot be served: ${error.message}`)
  }
}

function decodeDefinition(own: OwnKind): CustomResourceDefinition {
  const { object } = decode(loadSchema().type('apiextensions.v1.CustomResourceDefinition'), {
    metadata: {
      name: `${own.resource}.${own.group}`,
      annotations: {
        'api-approved.kubernetes.io': 'unapproved, served in process',
        ...(own.indexes ? { [indexesAnnotation]: own.indexes.join(',') } : {})
      }
    },
    spec: definitionSpec(own)
  })
  return object
}

function checkIndexes({ kind, group, indexes = [] }: OwnKind): void {
  const wrong = (why: string) => new UserError(`the kind ${kind} of group ${group} cannot be served: ${why}`)
  if (indexes.length > maxIndexes) throw wrong(`it has more than ${maxIndexes} indexes`)
  const path = indexes.find(each => !isIndexPath(each))
  if (path !== undefined) throw wrong(`the index ${JSON.stringify(path)} must be a path like .spec.course`)
}

/** Validates as a definition in the store is validated. */
function checkDefinition(definition: CustomResourceDefinition): void {
  const context = {} as StrategyContext
  const errors = new FieldErrors()
  customResourceDefinition.strategy!.default!(definition, context)
  customResourceDefinition.strategy!.validate!(definition, errors, context)
  if (!errors.any) return
  const problems = errors.list.map(e => `${e.field}: ${e.message}`).join('\n  ')
  throw new UserError(`the kind ${definition.spec.names.kind} of group ${definition.spec.group} cannot be served:\n  ${problems}`)
}

/** Calls the functions as methods of the kind, so that they keep their `this`. */
function hooksOf(own: OwnKind): StrategyHooks {
  return {
    ...(own.default ? { default: (o, c) => own.default!(o, c) } : {}),
    ...(own.prepareForCreate ? { prepareForCreate: (o, c) => own.prepareForCreate!(o, c) } : {}),
    ...(own.prepareForUpdate ? { prepareForUpdate: (o, old, c) => own.prepareForUpdate!(o, old, c) } : {}),
    ...(own.validate ? { validate: (o, errors, c) => own.validate!(o, errors, c) } : {}),
    ...(own.validateUpdate ? { validateUpdate: (o, old, errors, c) => own.validateUpdate!(o, old, errors, c) } : {}),
    ...(own.warnings ? { warnings: (o, old, c) => own.warnings!(o, old, c) } : {}),
    ...(own.afterDelete ? { afterDelete: (o, c) => own.afterDelete!(o, c) } : {})
  }
}
