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

/** An object has no view in the version of one of its entries. */
export class ViewError extends Error {}

export class MissingVersionError extends ViewError {}

/** Thrown by a view that has to ask somebody else first: once `ready` resolves, the same question is answered at once. */
export class PendingView extends Error {
  readonly ready: Promise<void>
  constructor(ready: Promise<void>) {
    super('a conversion is under way')
    this.ready = ready
  }
}

/** Runs a calculation that looks at other versions, from its start each time that it had to ask for one. */
export async function withViews<T>(calculate: () => T): Promise<T> {
  for (;;) {
    try {
      return calculate()
    } catch (error) {
      if (!(error instanceof PendingView)) throw error
      await error.ready
    }
  }
}
