import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'

/** The strategy by which the server itself elects leaders. Strategies with a domain belong to others. */
export const oldestEmulationVersion = 'OldestEmulationVersion'

/** Validates the strategy of a Lease or LeaseCandidate. */
export function validateStrategy(strategy: string, path: Path, errors: FieldErrors): void {
  const { length } = strategy.split('/', 2)
  // kube-apiserver names the field twice
  const at = path.child('strategy')
  if (length > 1) for (const e of isQualifiedName(strategy)) errors.invalid(at, namedText(strategy), e)
  else if (strategy !== oldestEmulationVersion) errors.notSupported(at, strategy, [oldestEmulationVersion])
}
