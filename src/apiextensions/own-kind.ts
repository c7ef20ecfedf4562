/**
 * Own kinds: kinds that the program which embeds the server declares in TypeScript, with a schema as in a
 * CustomResourceDefinition, and functions in place of webhooks. They need no stored definition, and are served from the first
 * request on.
 */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../api/generated/apiextensions-v1.js'
import { customResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.js'
import type { KubeObject } from '../registry/kind.js'
import type { Resource } from '../registry/resource.js'
import type { StrategyContext } from '../registry/strategy-context.js'
import type { UserInfo } from '../request/user.js'
import { decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import { UserError } from '../util/user-error.js'
import { FieldErrors } from '../validation/field.js'
import type { StrategyHooks } from './custom-kind.js'
import { type ResourceParts, resourcesOf } from './resources.js'

/** The request, as a function of an own kind sees it. */
export interface KindContext {
  /** Milliseconds. */
  readonly now: number
  readonly user: UserInfo
  /** "" for objects outside of namespaces. */
  readonly namespace: string
  /** The version in the path of the request. */
  readonly version: string
  /** "" for the object itself. */
  readonly subresource: string
  readonly dryRun: boolean
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void
}

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
  /** Default true. */
  readonly namespaced?: boolean
  /**
   * As in a CustomResourceDefinition: schema, subresources, additionalPrinterColumns, selectableFields, deprecation. By default
   * the first version is the storage version, and all are served.
   */
  readonly versions: readonly [OwnVersion, ...OwnVersion[]]
  /** Sets defaults that the schema cannot express, in every object that comes in. Changes the object. */
  default?(object: T, context: Pick<KindContext, 'now'>): void
  /** Sets fields that only the server sets, before validation. Changes the object. */
  prepareForCreate?(object: T, context: KindContext): void | Promise<void>
  prepareForUpdate?(object: T, old: T, context: KindContext): void | Promise<void>
  /** Adds errors to `errors`. Runs on every write, after the schema's own validation. */
  validate?(object: T, errors: FieldErrors, context: KindContext): void
  /** Adds an error for each change that an update must not make. */
  validateUpdate?(object: T, old: T, errors: FieldErrors, context: KindContext): void
  warnings?(object: T, old: T | undefined, context: KindContext): string[]
  /** Runs after an object was removed from the store. */
  afterDelete?(object: T, context: KindContext): void
}

/** Declares a kind for `createServer({ kinds: [...] })`. Returns its argument: it exists for its types. */
export function defineKind<T extends KubeObject = any>(kind: OwnKind<T>): OwnKind<T> {
  return kind
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

/** Validates the declaration in the same way as a CustomResourceDefinition. */
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
