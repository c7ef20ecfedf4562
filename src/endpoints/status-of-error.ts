import { internalError, invalid, plainError, StatusError } from '../status/status.js'
import { StoreUnavailableError } from '../storage/contract.js'
import { EnoughErrors } from '../validation/field.js'

/** The Status with which a thrown value is answered. A bug becomes a 500 that says no more than kube-apiserver would. */
export function toStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof StoreUnavailableError) return plainError(error.message)
  // of a validation whose errors nobody collects
  if (error instanceof EnoughErrors) {
    const { list } = error.errors
    return invalid({ group: '', kind: '' }, '', list.map(e => `${e.field}: ${e.message}`).join(', '), [])
  }
  return internalError(error instanceof Error ? error.message : String(error))
}
