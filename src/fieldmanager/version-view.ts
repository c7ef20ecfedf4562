import type { StructType } from '../schema/model.js'

/** How another version of a kind shows an object. Neither function changes its argument. */
export interface VersionView {
  readonly type: StructType
  /** From the version that the operation speaks. */
  from(object: any): any
  back(object: any): any
}

/**
 * The view of an apiVersion, because managedFields entries speak of the version in which they were made; undefined when the
 * kind does not have it. Custom resources throw a MissingVersionError for a version that is gone from their definition.
 */
export type VersionViews = (apiVersion: string) => VersionView | undefined

export class MissingVersionError extends Error {}
