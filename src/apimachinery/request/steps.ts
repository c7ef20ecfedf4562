/** What a request went through, for the recorder (apiserver/recorder/): the steps of admission, what was written, and which faults were injected. */
import type { ExpressionCost } from '../cel/cost/node-costs.js'

export interface AdmissionStep {
  readonly kind: 'plugin' | 'policy' | 'webhook'
  readonly phase: 'admit' | 'validate'
  readonly name: string
}

/** The resource of an object that a step or a write shows. */
export interface ShownResource {
  readonly group: string
  readonly resource: string
  readonly subresource: string
}

/** An object before and after a write, as JSON; undefined where it does not exist. */
export interface WrittenObject extends ShownResource {
  readonly namespace: string
  readonly name: string
  readonly dryRun: boolean
  readonly before: Buffer | undefined
  readonly after: Buffer | undefined
}

export interface StepCosts {
  readonly cost: number
  /** Where it was measured: of each expression, in the order in which they were evaluated. */
  readonly expressions?: readonly ExpressionCost[] | undefined
}

export interface RequestSteps {
  /** Whether policies are to measure what each of their expressions costs, node by node. */
  readonly measures?: boolean
  /**
   * Does a step of admission, and notes what it changed of `object`, and how it ended. `answer` says what it answered, and `costs` what its
   * expressions cost; nothing when left out. Rejects as `work` does.
   */
  around<T>(
    step: AdmissionStep,
    of: { readonly resource: ShownResource; object(): unknown },
    work: () => T | Promise<T>,
    answer?: (result: T) => string | undefined,
    costs?: (result: T) => StepCosts
  ): Promise<T>
  wrote(written: WrittenObject): void
  /** Notes what a fault rule of a test did to the request (apiserver/faults/). */
  struck(action: string): void
}
