/**
 * The definition of a kind: data plus small functions. A kind's file contains nothing about HTTP, storage or encoding; the
 * registry, discovery, OpenAPI and Table all read this one definition.
 */
import type { JSONSchemaProps } from '../apimachinery/api/generated/apiextensions-v1.js'
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import type { HonouredGate } from '../apimachinery/features/honoured-gates.js'
import type { TableDefinition } from '../apimachinery/formats/column.js'
import type { FieldErrors } from '../apimachinery/validation/field.js'
import type { JsonObject } from '../util/json.js'
import type { GatedFields } from './gated-fields.js'
import type { DeletionStrategy, GenerationRules, Strategy } from './strategy.js'
import type { Subresources } from './subresource.js'

export type { KubeObject }

/** An object of any kind, whose fields beyond those of all kinds may be anything. */
export type AnyObject = KubeObject & JsonObject

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export interface KindDefinition<T extends KubeObject = any> {
  readonly group: string
  readonly kind: string
  /** The plural: "pods". */
  readonly resource: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** The kind of its lists. Default: the kind followed by "List". */
  readonly listKind?: string
  /** The name of the resource in errors. Default: its name. */
  readonly nameInErrors?: string
  readonly namespaced: boolean
  /** The kind exists only where this gate is on. */
  readonly featureGate?: HonouredGate
  /** Fields that exist only where feature gates are on. */
  readonly gatedFields?: readonly GatedFields[]
  /** Returns the errors in an object's name, or in its generateName (`prefix`). Default: those of a DNS-1123 subdomain. */
  readonly validateName?: (name: string, prefix: boolean, object: T, gates: Pick<FieldErrors, 'enabled'>) => string[]

  /** The first one is the storage version, unless `storage.cachedAs` says otherwise. */
  readonly versions: readonly [KindVersion, ...KindVersion[]]
  readonly storage?: StorageRules
  /** The verbs that the kind supports. Default: all eight. */
  readonly verbs?: readonly Verb[]
  readonly fieldSelectors?: FieldSelectors<T>
  /** Fields that filters find objects by (docs/queries.md), beside the selectable ones: by their paths, with their values as text. */
  readonly indexes?: Readonly<Record<string, (object: T) => string>>
  readonly table?: TableDefinition<T>
  /** Sets what kube-apiserver's types have even in an object without content, beyond what the schema says: bookmarks show it. */
  readonly empty?: (object: T) => void
  /** metadata.generation is 1 on creation and counts changes of the spec. */
  readonly generation?: true | GenerationRules<T>
  readonly strategy?: Strategy<T>
  readonly deletion?: DeletionStrategy<T>
  readonly subresources?: Subresources<T>

  /** A CustomResourceDefinition declares the kind: documents have no type beyond what its schema says. */
  readonly custom?: { readonly schema: () => JSONSchemaProps }
  /** The kind's objects are answers to a POST, and never stored (reviews). `apiserver/subresources/` computes them. */
  readonly virtual?: true
  /** The kind's objects have these names and are never stored: `apiserver/subresources/` computes them at each request. */
  readonly computed?: { readonly names: readonly string[] }
}

export interface KindVersion {
  /** "v1" */
  readonly name: string
  /** The version's type in the schema: "core.v1.Pod". */
  readonly type: string
  /** Whether the version is served without --runtime-config. Default: true. */
  readonly served?: boolean
  /** Set on a storage version that belongs to another group, for kinds that two groups serve; such a version is never served. */
  readonly apiVersion?: string
  /** Sent as a Warning with every answer of this version: "v1 Endpoints is deprecated in v1.33+; …". */
  readonly deprecation?: string
  /** Converts an object of this version into the storage version. Left out for the storage version. May change its argument. */
  readonly toStorage?: (object: any) => any
  /** Converts an object of the storage version into this one. */
  readonly fromStorage?: (object: any) => any
  /** Returns the path in the storage version of a field whose path differs there. */
  readonly pathInStorage?: (path: string) => string
}

/** How objects are stored. */
export interface StorageRules {
  /** The path below /registry/. Default: the resource's name. */
  readonly path?: string
  /**
   * Versions that are not served any more but that kube-apiserver still stores, by apiVersion, with the conversion to the storage
   * version.
   */
  readonly storedForms?: Readonly<Record<string, (object: any) => any>>
  /**
   * The version in which kube-apiserver stores objects, where it stays with an older one. This server stores them so, too, if it is one
   * of `versions`. Default: the first of `versions` that --min-compatibility-version knows, alpha versions apart.
   */
  readonly storedAs?: { readonly group: string; readonly version: string }
  /**
   * The version of `versions` in which the cache holds objects and strategies see them: one that has fields which the first one lacks.
   * Then "the storage version" means this one everywhere below. Default: the first of `versions`.
   */
  readonly cachedAs?: string
  /** Annotations that hold fields of other versions. PartialObjectMetadata leaves them out. */
  readonly fieldAnnotations?: readonly string[]
  /** kube-apiserver has no watch cache of the kind: its answers about resource versions are those of the storage. */
  readonly uncached?: true
  /** Objects are deleted some time after their last write (--event-ttl). */
  readonly expires?: true
}

export interface FieldSelectors<T> {
  /** The values of fields beyond metadata.name and metadata.namespace, by path: "spec.nodeName". */
  readonly fields?: Readonly<Record<string, (object: T) => string>>
  /** The error for other fields, for kinds whose error is not the usual one. */
  readonly unknown?: (field: string, version: string) => string
}

/** Declares a kind. Returns its argument: it exists for its types. */
export function defineKind<T extends KubeObject>(definition: KindDefinition<T>): KindDefinition<T> {
  return definition
}
