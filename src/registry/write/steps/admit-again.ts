/** Asks validating admission about the object as it would be stored. */
import { plainError } from '../../../apimachinery/status/status.js'
import { isVersion } from '../preconditions.js'
import type { Found, Missing, Prepared } from './value.js'

export const admitNewAgain = ({ operation, name, object }: Prepared<Missing>): Promise<void> =>
  operation.admission.validate(operation.attributes('CREATE', name || object.metadata.name!, object, undefined))

/** After a POST. With a PUT or an apply, kube-apiserver ignores the version that a webhook gives a new object. */
export async function admitPostedAgain(write: Prepared<Missing>): Promise<void> {
  await admitNewAgain(write)
  const { operation, object } = write
  if (!operation.dryRun && isVersion(object.metadata.resourceVersion))
    throw plainError('resourceVersion should not be set on objects to be created')
}

export const admitChangesAgain = ({ operation, name, object, old }: Prepared<Found>): Promise<void> =>
  operation.admission.validate(operation.attributes('UPDATE', name, object, old))
