/** Parts of objects. */

/**
 * Any part of an object: what a client writes. The server sets the defaults, and says what is missing.
 *
 * @example
 * const pod: Draft<BuiltinKinds['v1']['Pod']> = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
 */
export type Draft<T> = { [Field in keyof T]?: DraftValue<T[Field]> | undefined }

/** The draft of a field: of a list, drafts of its items. */
export type DraftValue<T> = T extends readonly (infer Item)[] ? DraftValue<Item>[] : T extends object ? Draft<T> : T

/**
 * A merge patch (RFC 7386): fields to set, and null for those to remove. Lists are replaced.
 *
 * @example
 * const patch: MergePatch<BuiltinKinds['v1']['Pod']> = { metadata: { labels: { app: null } } }
 */
export type MergePatch<T> = { [Field in keyof T]?: Patched<T[Field]> | null | undefined }

/** What a merge patch has for a field. */
export type Patched<T> = T extends readonly unknown[] ? T : T extends object ? MergePatch<T> : T

/**
 * A strategic merge patch: lists are merged by the keys of their items, and directives like `$patch` say how.
 *
 * @example
 * const patch: StrategicPatch<Deployment> = { spec: { template: { spec: { containers: [{ name: 'old', $patch: 'delete' }] } } } }
 */
export type StrategicPatch<T> = { [Field in keyof T]?: StrategicValue<T[Field]> | null | undefined } & Directives

/**
 * The directives of a strategic merge patch.
 *
 * @example
 * const remove: Directives = { $patch: 'delete' }
 */
export interface Directives {
  readonly [directive: `$${string}`]: unknown
}

/** What a strategic merge patch has for a field. */
export type StrategicValue<T> = T extends readonly (infer Item)[]
  ? StrategicValue<Item>[]
  : T extends object
    ? StrategicPatch<T>
    : T
