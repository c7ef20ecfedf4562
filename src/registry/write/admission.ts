/** The registry's interface to admission, which runs before a write is stored, and may change or refuse the write. */
import type { AdmissionRequest } from '../../apimachinery/request/admission.js'
import type { Resource } from '../resource.js'
import type { Services } from '../services.js'
import type { StrategyContext } from '../strategy-context.js'

/** An AdmissionRequest with all that the server's own plugins use. */
export interface WriteAttributes extends AdmissionRequest {
  readonly resource: Resource
  readonly context: AdmissionContext
}

export interface AdmissionContext extends StrategyContext {
  readonly services: Services
}

export interface Admission {
  /** Changes the object, or refuses by throwing a StatusError. */
  admit(attributes: WriteAttributes): Promise<void>
  /** Refuses by throwing a StatusError. Changes nothing. */
  validate(attributes: WriteAttributes): Promise<void>
}

/** Admission for the server's own writes as a part of an operation that has passed admission. */
export const noAdmission: Admission = { async admit() {}, async validate() {} }
