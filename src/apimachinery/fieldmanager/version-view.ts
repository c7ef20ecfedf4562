import { atOnce, type Steps, stepByStep } from '../../util/turns.js'
import type { StructType } from '../schema/model.js'

/** Converts objects to another version of a kind and back. Neither function changes its argument. */
export interface VersionView {
  readonly type: StructType
  /** Converts from the version of the operation. */
  from(object: any): any
  back(object: any): any
}

/**
 * Returns the view of an apiVersion; undefined if the kind lacks that version. managedFields entries refer to the version in which they
 * were written. Custom resources throw a MissingVersionError for a version that was removed from their definition.
 */
export type VersionViews = (apiVersion: string) => VersionView | undefined

/** An object cannot be converted to the version of one of its entries. */
export class ViewError extends Error {}

export class MissingVersionError extends ViewError {}

/** Results by the key of what made them. */
type Results = Map<string, unknown>

/** Thrown where a calculation needs a result that it has to wait for. */
class Pending extends Error {
  readonly key: string
  readonly result: Promise<unknown>
  constructor(key: string, result: Promise<unknown>) {
    super('a conversion is under way')
    this.key = key
    this.result = result
  }
}

/** What the calculation has waited for whose step runs at present. */
let present: Results | undefined

/**
 * Returns a result that takes time in a calculation of `withViews`, which starts again when the result is there. Nothing outlives the calculation: a webhook may
 * answer the same question differently the next time.
 */
export function awaited<T>(key: string, begin: () => Promise<T>): T {
  if (present?.has(key)) return present.get(key) as T
  throw new Pending(key, begin())
}

/**
 * Runs a calculation that uses other versions, and restarts it after each conversion that it had to wait for. With `isLarge`, others have turns between
 * its steps.
 */
export async function withViews<T>(calculate: () => Steps<T>, isLarge: boolean): Promise<T> {
  const results: Results = new Map()
  for (;;) {
    try {
      return isLarge ? await stepByStep(seeing(results, calculate())) : atOnce(seeing(results, calculate()))
    } catch (error) {
      if (!(error instanceof Pending)) throw error
      results.set(error.key, await error.result)
    }
  }
}

/** Takes the steps of a calculation with what it has waited for. */
function* seeing<T>(results: Results, steps: Steps<T>): Steps<T> {
  for (;;) {
    const outer = present
    present = results
    let step: IteratorResult<undefined, T>
    try {
      step = steps.next()
    } finally {
      present = outer
    }
    if (step.done) return step.value
    yield
  }
}
