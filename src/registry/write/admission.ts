/** The registry's interface to admission, which runs before a write is stored, and may change or refuse the write. */
import type { Resource } from '../resource.js'
import type { Services } from '../services.js'
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
  readonly context: AdmissionContext
}

export interface AdmissionContext extends StrategyContext {
  readonly services: Services
}

export interface Admission {
  /** Changes the object, or refuses by throwing a StatusError. */
  admit(request: AdmissionRequest): Promise<void>
  /** Refuses by throwing a StatusError. Changes nothing. */
  validate(request: AdmissionRequest): Promise<void>
}

/** Admission for the server's own writes as a part of an operation that has passed admission. */
export const noAdmission: Admission = { async admit() {}, async validate() {} }
