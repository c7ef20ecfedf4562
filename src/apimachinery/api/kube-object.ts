import type { ObjectMeta } from './generated/meta-v1.js'

/**
 * An object of any kind, with the fields that all kinds share. Extend it for a kind of your own.
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
export interface DeclaredKind<T = any> {
  readonly group: string
  readonly kind: string
  readonly versions: readonly [{ readonly name: string }, ...{ readonly name: string }[]]
  /** Only there for the type of the objects. */
  readonly object?: T
}
