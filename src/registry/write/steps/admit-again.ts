/** Asks validating admission about the object as it would be stored. */
import { plainError } from '../../../apimachinery/status/status.js'
import { isVersion } from '../preconditions.js'
import type { Found, Missing, Prepared } from './value.js'

export async function admitNewAgain({ operation, name, object }: Prepared<Missing>): Promise<void> {
  const { metadata } = object
  await operation.admission.validate(operation.attributes('CREATE', name || metadata.name!, object, undefined))
  if (!operation.dryRun && isVersion(metadata.resourceVersion))
    throw plainError('resourceVersion should not be set on objects to be created')
}

export const admitChangesAgain = ({ operation, name, object, old }: Prepared<Found>): Promise<void> =>
  operation.admission.validate(operation.attributes('UPDATE', name, object, old))
