import type { StructType } from '../schema/model.js'

/** Converts objects to another version of a kind and back. Neither function changes its argument. */
export interface VersionView {
  readonly type: StructType
  /** Converts from the version of the operation. */
  from(object: any): any
  back(object: any): any
}

/**
 * Returns the view of an apiVersion, because managedFields entries refer to the version in which they were written; undefined
 * when the kind lacks that version. Custom resources throw a MissingVersionError for a version that was removed from their
 * definition.
 */
export type VersionViews = (apiVersion: string) => VersionView | undefined

/** An object cannot be converted to the version of one of its entries. */
export class ViewError extends Error {}

export class MissingVersionError extends ViewError {}

/** Thrown by a view that needs an asynchronous conversion. Once `ready` resolves, the same conversion returns at once. */
export class PendingView extends Error {
  readonly ready: Promise<void>
  constructor(ready: Promise<void>) {
    super('a conversion is under way')
    this.ready = ready
  }
}

/** Runs a calculation that uses other versions, and restarts it after each conversion that it had to wait for. */
export async function withViews<T>(calculate: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await calculate()
    } catch (error) {
      if (!(error instanceof PendingView)) throw error
      await error.ready
    }
  }
}
