/** What a request went through, for the recorder (apiserver/recorder/): the steps of admission, what was written, and which faults were injected. */

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

export interface RequestSteps {
  /**
   * Does a step of admission, and notes what it changed of `object`, and how it ended. `answer` says what it answered, and `cost` what its
   * expressions cost; nothing when left out. Rejects as `work` does.
   */
  around<T>(
    step: AdmissionStep,
    of: { readonly resource: ShownResource; object(): unknown },
    work: () => T | Promise<T>,
    answer?: (result: T) => string | undefined,
    cost?: (result: T) => number
  ): Promise<T>
  wrote(written: WrittenObject): void
  /** Notes what a fault rule of a test did to the request (apiserver/faults/). */
  struck(action: string): void
}
