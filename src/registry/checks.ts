/**
 * The order in which a write is validated. Each check adds its causes to the same answer, so that clients see the order; it
 * differs between kinds because their strategies in Kubernetes call these functions in different orders.
 */

/** `objectMeta` is Kubernetes' ValidateObjectMeta; `validate` and `validateCreate` are the kind's own. */
export type CreateCheck = 'objectMeta' | 'validate' | 'validateCreate'

export const usualCreateChecks: readonly CreateCheck[] = ['objectMeta', 'validate', 'validateCreate']

/**
 * `objectMeta` is ValidateObjectMeta, as for a new object; `objectMetaUpdate` is ValidateObjectMetaUpdate, which the generic code
 * has called once before, so that each of its errors becomes two causes. `validate` and `validateUpdate` are the kind's own.
 */
export type UpdateCheck = 'objectMeta' | 'objectMetaUpdate' | 'validate' | 'validateUpdate'

/** The checks of most kinds: the changes of the metadata, then the object, then its changes. */
export const usualUpdateChecks: readonly UpdateCheck[] = ['objectMetaUpdate', 'validate', 'validateUpdate']

/** The changes are validated before the object. */
export const changesFirst: readonly UpdateCheck[] = ['objectMetaUpdate', 'validateUpdate', 'validate']

/** Validates as a new object, and then the changes. */
export const asNewThenChanges: readonly UpdateCheck[] = ['objectMeta', 'validate', 'objectMetaUpdate', 'validateUpdate']

/** Validates the changes, and then as a new object. */
export const changesThenAsNew: readonly UpdateCheck[] = ['objectMetaUpdate', 'validateUpdate', 'objectMeta', 'validate']

/** Validates the changes of the metadata, then as a new object, and then the kind's own rules for changes. */
export const changesAroundAsNew: readonly UpdateCheck[] = ['objectMetaUpdate', 'objectMeta', 'validate', 'validateUpdate']

/** Validates as a new object, and then only the kind's own rules for changes. */
export const asNewThenOwnChanges: readonly UpdateCheck[] = ['objectMeta', 'validate', 'validateUpdate']

/** The checks of most status subresources. `validateUpdate` is that of the subresource. */
export const usualStatusChecks: readonly StatusCheck[] = ['objectMetaUpdate', 'validateUpdate']

export type StatusCheck = 'objectMetaUpdate' | 'validateUpdate'
