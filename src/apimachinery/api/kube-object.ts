import type { ObjectMeta } from './generated/meta-v1.js'

/**
 * An object of any kind as the server handles it, with the fields that all kinds share: of a new object, not all metadata is there yet.
 *
 * @example
 * interface Course extends KubeObject {
 *   spec: { seats: number }
 * }
 */
export interface KubeObject {
  kind?: string | undefined
  apiVersion?: string | undefined
  metadata: ObjectMeta
}

/** What a client needs of a kind that is declared in TypeScript, as `defineKind` does. */
export interface DeclaredKind<T = any, Types = unknown> {
  readonly group: string
  readonly kind: string
  readonly versions: readonly [{ readonly name: string }, ...{ readonly name: string }[]]
  /** Only there for the type of the objects. */
  readonly object?: T
  /** Only there for the other types of the kind: what its clients take. */
  readonly types?: Types
}
