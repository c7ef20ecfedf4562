/**
 * Kinds that whoever embeds a server writes in TypeScript: a schema as a CustomResourceDefinition would have it, and functions
 * in place of webhooks. They need no definition in the store and are there from the first request on.
 */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../api/generated/apiextensions-v1.js'
import { customResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.js'
import type { KubeObject } from '../registry/kind.js'
import type { Resource } from '../registry/resource.js'
import type { StrategyContext } from '../registry/strategy-context.js'
import type { OperationContext } from '../request/admission.js'
import { decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import { UserError } from '../util/user-error.js'
import { FieldErrors } from '../validation/field.js'
import type { StrategyHooks } from './custom-kind.js'
import { type ResourceParts, resourcesOf } from './resources.js'

type OwnVersion = Omit<CustomResourceDefinitionVersion, 'served' | 'storage'> &
  Partial<Pick<CustomResourceDefinitionVersion, 'served' | 'storage'>>

export interface OwnKind<T extends KubeObject = any> {
  /** Your own domain: "example.com". */
  readonly group: string
  readonly kind: string
  /** The plural, as in paths. */
  readonly resource: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** true */
  readonly namespaced?: boolean
  /**
   * As in a CustomResourceDefinition: schema, subresources, additionalPrinterColumns, selectableFields, deprecation. The first is
   * stored, all are served, unless they say otherwise.
   */
  readonly versions: readonly [OwnVersion, ...OwnVersion[]]
  /** Fills in what the schema's defaults can't say, whoever asks. Changes the object. */
  default?(object: T, context: Pick<OperationContext, 'now'>): void
  /** Sets what only the server sets, before validation. Changes the object. */
  prepareForCreate?(object: T, context: OperationContext): void | Promise<void>
  prepareForUpdate?(object: T, old: T, context: OperationContext): void | Promise<void>
  /** Adds to `errors` what is wrong, on every write; the schema's own validation has run before. */
  validate?(object: T, errors: FieldErrors, context: OperationContext): void
  /** What an update may not change. */
  validateUpdate?(object: T, old: T, errors: FieldErrors, context: OperationContext): void
  warnings?(object: T, old: T | undefined, context: OperationContext): string[]
  /** Runs when an object is gone for good. */
  afterDelete?(object: T, context: OperationContext): void
}

/** Declares a kind for `createServer({ kinds: [...] })`. The identity function: it is there for its types. */
export function defineKind<T extends KubeObject = any>(kind: OwnKind<T>): OwnKind<T> {
  return kind
}

export type OwnKindParts = Omit<ResourceParts, 'life' | 'schemaOf' | 'hooks'>

/** The resources of an own kind. Throws a UserError that says what is wrong with its declaration. */
export function ownResources(own: OwnKind, builtinGroups: ReadonlySet<string>, parts: OwnKindParts): Resource[] {
  if (builtinGroups.has(own.group))
    throw new UserError(
      `the kind ${own.kind} cannot be served: the group ${own.group} is built in; choose one of your own domain`
    )
  const definition = definitionOf(own)
  checkDefinition(definition)
  const { names } = definition.spec
  const accepted = { ...definition, status: { ...definition.status, acceptedNames: names } }
  const schemaOf = (version: string) => definition.spec.versions!.find(v => v.name === version)!.schema!.openAPIV3Schema!
  return resourcesOf(accepted, { ...parts, life: { terminating: false }, schemaOf, hooks: hooksOf(own) })
}

function definitionOf(own: OwnKind): CustomResourceDefinition {
  const { group, kind, resource: plural, singular, shortNames, categories, namespaced = true, versions } = own
  const hasStorage = versions.some(v => v.storage)
  const { object } = decode(loadSchema().type('apiextensions.v1.CustomResourceDefinition'), {
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, served in process' } },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, kind, singular, shortNames, categories },
      versions: versions.map((version, i) => ({ served: true, storage: !hasStorage && i === 0, ...version }))
    }
  })
  return object
}

/** A definition in the store would be judged the same way. */
function checkDefinition(definition: CustomResourceDefinition): void {
  const context = {} as StrategyContext
  const errors = new FieldErrors()
  customResourceDefinition.default!(definition, context)
  customResourceDefinition.validate!(definition, errors, context)
  if (!errors.any) return
  const problems = errors.list.map(e => `${e.field}: ${e.message}`).join('\n  ')
  throw new UserError(`the kind ${definition.spec.names.kind} of group ${definition.spec.group} cannot be served:\n  ${problems}`)
}

/** The functions keep their `this`. */
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
