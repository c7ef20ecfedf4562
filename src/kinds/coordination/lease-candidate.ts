import type { LeaseCandidate } from '../../apimachinery/api/generated/coordination-v1beta1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isConfigMapKey } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { compareVersions, type SemanticVersion, versionOf, zeroVersion } from '../../util/semver.js'
import { builtinColumns } from '../columns.js'
import { oldestEmulationVersion, validateStrategy } from './coordinated-strategy.js'

const path = Path.of('spec')

export const leaseCandidate = defineKind<LeaseCandidate>({
  group: 'coordination.k8s.io',
  kind: 'LeaseCandidate',
  resource: 'leasecandidates',
  namespaced: true,
  versions: [
    {
      name: 'v1beta1',
      type: 'coordination.v1beta1.LeaseCandidate',
      served: false,
      deprecation: 'coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+'
    },
    {
      name: 'v1alpha2',
      type: 'coordination.v1alpha2.LeaseCandidate',
      served: false,
      deprecation: 'coordination.k8s.io/v1alpha2 LeaseCandidate is deprecated in v1.35+, unavailable in v1.38+'
    }
  ],
  validateName: name => isConfigMapKey(name),
  table: {
    columns: builtinColumns<LeaseCandidate>('coordination.k8s.io/leasecandidates', {
      LeaseName: o => o.spec.leaseName,
      BinaryVersion: o => o.spec.binaryVersion,
      EmulationVersion: o => o.spec.emulationVersion ?? ''
    })
  },
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    validate({ spec }, errors) {
      const { leaseName, strategy, binaryVersion } = spec
      const emulationVersion = spec.emulationVersion ?? ''
      if (leaseName === '') errors.required(path.child('leaseName'))
      const emulation = readVersion(emulationVersion, path.child('emulationVersion'), errors)
      if (binaryVersion === '') errors.required(path.child('binaryVersion'))
      const binary = readVersion(binaryVersion, path.child('binaryVersion'), errors)
      if (binaryVersion !== '' && emulationVersion !== '' && compareVersions(binary, emulation) < 0n)
        errors.invalid(path.child('binaryVersion'), binaryVersion, 'must be greater than or equal to `emulationVersion`')
      if (!strategy) errors.required(path.child('strategy'))
      else {
        if (strategy === oldestEmulationVersion && compareVersions(emulation, zeroVersion) === 0n)
          errors.required(path.child('emulationVersion'), "must be specified when `strategy` is 'OldestEmulationVersion'")
        validateStrategy(strategy, path.child('strategy'), errors)
      }
    },
    validateUpdate({ spec }, old, errors) {
      if (spec.leaseName !== old.spec.leaseName) errors.invalid(path.child('leaseName'), spec.leaseName, 'field is immutable')
    }
  }
})

/** Returns version 0.0.0 for a text that is empty, or is no version. */
function readVersion(text: string, path: Path, errors: FieldErrors): SemanticVersion {
  if (text === '') return zeroVersion
  const version = versionOf(text)
  if (!version) errors.invalid(path, text, 'must be a valid semantic version')
  return version ?? zeroVersion
}
