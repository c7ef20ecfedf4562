import { internalError, invalid, plainError, StatusError } from '../../apimachinery/status/status.js'
import { EnoughErrors } from '../../apimachinery/validation/field.js'
import { StoreUnavailableError } from '../../storage/contract.js'

/** Converts a thrown value into the error to answer with. A bug becomes a 500 without details beyond kube-apiserver's. */
export function toStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof StoreUnavailableError) return plainError(error.message)
  // thrown by a validation that reached its limit of errors outside a collecting caller
  if (error instanceof EnoughErrors) {
    const { list } = error.errors
    return invalid({ group: '', kind: '' }, '', list.map(e => `${e.field}: ${e.message}`).join(', '), [])
  }
  return internalError(error instanceof Error ? error.message : String(error))
}
