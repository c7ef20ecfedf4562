import type { LeaseCandidate } from '../../api/generated/coordination-v1beta1.js'
import { defineKind } from '../../registry/kind.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Subdomain } from '../../validation/names.js'
import { builtinColumns } from '../columns.js'

const path = Path.of('spec')
const semanticVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

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
      const { leaseName, strategy } = spec
      if (leaseName === '') errors.required(path.child('leaseName'))
      else for (const e of isDns1123Subdomain(leaseName)) errors.invalid(path.child('leaseName'), leaseName, e)
      validateVersion(spec.binaryVersion, true, path.child('binaryVersion'), errors)
      validateVersion(spec.emulationVersion ?? '', strategy === 'OldestEmulationVersion', path.child('emulationVersion'), errors)
      if (!strategy) errors.required(path.child('strategy'))
    }
  }
})

function validateVersion(version: string, required: boolean, path: Path, errors: FieldErrors): void {
  if (version === '') {
    if (required) errors.required(path)
  } else if (!semanticVersion.test(version)) errors.invalid(path, version, 'must be a valid semantic version')
}
