/** What the registry needs of admission: it is asked before a write is stored, and may change or refuse it. */
import type { Resource } from '../resource.js'
import type { StrategyContext } from '../strategy-context.js'

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

export interface AdmissionRequest {
  readonly operation: AdmissionOperation
  readonly resource: Resource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** In the storage version; undefined for DELETE. Mutating admission changes it in place. */
  readonly object: any
  /** undefined for CREATE. */
  readonly oldObject: any
  readonly context: StrategyContext
}

export interface Admission {
  /** Changes the object, or refuses by throwing a StatusError. */
  admit(request: AdmissionRequest): Promise<void>
  /** Refuses by throwing a StatusError. Changes nothing. */
  validate(request: AdmissionRequest): Promise<void>
}

/** Admission for what the server itself writes as a part of an operation that has been admitted. */
export const noAdmission: Admission = { async admit() {}, async validate() {} }
