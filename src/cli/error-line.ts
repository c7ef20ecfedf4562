import { StoreUnavailableError } from '../storage/contract.js'
import { UserError } from '../util/user-error.js'

/** Returns one line for an error that the user can fix; undefined for a bug. */
export const errorLine = (error: unknown): string | undefined =>
  error instanceof UserError || error instanceof StoreUnavailableError ? error.message.replaceAll(/\s*\n\s*/g, ' ') : undefined
