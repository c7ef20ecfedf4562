/** The kinds that an operator brings along, as CustomResourceDefinitions. */
import type { DeclaredKind } from '../../apimachinery/api/kube-object.js'
import { listOf, type ValueType } from '../../util/members.js'
import { kindType, refOf } from '../kind-names.js'
import { definitionSpec } from '../typed/definition-of-kind.js'
import type { KindRef } from '../types.js'

/**
 * A version of a kind, as in `spec.versions` of a CustomResourceDefinition.
 *
 * @example
 * const v1: KindVersion = { name: 'v1', schema: { openAPIV3Schema: { type: 'object' } }, subresources: { status: {} } }
 */
export interface KindVersion {
  readonly name: string
  readonly schema?: object | undefined
  readonly served?: boolean | undefined
  readonly storage?: boolean | undefined
  readonly subresources?: object | undefined
  readonly additionalPrinterColumns?: readonly object[] | null | undefined
  readonly selectableFields?: readonly object[] | null | undefined
  readonly deprecated?: boolean | undefined
  readonly deprecationWarning?: string | undefined
}

/**
 * A kind that an operator brings along: what `defineKind` returns. The first version is stored and all are served, unless they say otherwise.
 *
 * @example
 * const course: OperatorKind<Course> = { group: 'school.example.com', kind: 'Course', resource: 'courses', versions: [v1] }
 */
export interface OperatorKind<T = any> extends DeclaredKind<T> {
  readonly resource: string
  readonly singular?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  readonly categories?: readonly string[] | undefined
  readonly namespaced?: boolean | undefined
  readonly versions: readonly [KindVersion, ...KindVersion[]]
}

/**
 * A CustomResourceDefinition as a manifest has it.
 *
 * @example
 * const definition: DefinitionManifest = parse(await readFile('definition.yaml', 'utf8'))
 */
export interface DefinitionManifest {
  readonly apiVersion: string
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string; readonly kind: string }
    readonly [field: string]: any
  }
}

export const operatorKinds: ValueType = listOf('a list of kinds', {
  what: 'a kind of defineKind, or a CustomResourceDefinition',
  is: value => kindType.is(value) && ('versions' in (value as object) || isDefinition(value))
})

const isDefinition = (kind: unknown): kind is DefinitionManifest =>
  (kind as { kind?: unknown }).kind === 'CustomResourceDefinition' && 'spec' in (kind as object)

/** Returns the CustomResourceDefinition of a kind. */
export function definitionOf(kind: OperatorKind | DefinitionManifest): DefinitionManifest {
  if (isDefinition(kind)) return kind
  const spec = definitionSpec(kind)
  const { names } = spec
  const { singular = kind.kind.toLowerCase() } = names
  return withoutUndefined({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition' as const,
    metadata: { name: `${names.plural}.${spec.group}` },
    spec: { ...spec, names: { ...names, singular, listKind: `${kind.kind}List` } }
  })
}

/** A copy without the members that are undefined, which YAML and JSON do not have. */
export const withoutUndefined = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

export interface ResourceName {
  readonly group: string
  readonly version: string
  /** The plural, as in paths. */
  readonly resource: string
}

const plain = new Map([['endpoints', 'endpoints']])

/** The resource of a kind. Where only the kind is known, its plural is guessed as kubectl guesses it; it is right for all built-in kinds. */
export function resourceOf(kind: DeclaredKind | KindRef): ResourceName {
  const { apiVersion, kind: name } = refOf(kind)
  const slash = apiVersion.indexOf('/')
  const [group, version] = [apiVersion.slice(0, Math.max(0, slash)), apiVersion.slice(slash + 1)]
  if ('resource' in kind && typeof kind.resource === 'string') return { group, version, resource: kind.resource }
  const lower = name.toLowerCase()
  const plural =
    plain.get(lower) ?? (/s$/.test(lower) ? `${lower}es` : /y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`)
  return { group, version, resource: plural }
}
