import type { ClusterTrustBundle } from '../../apimachinery/api/generated/certificates-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { validateAnySignerName } from './signer-name.js'
import { validateTrustBundle } from './trust-bundle.js'

const path = Path.of('spec')

export const clusterTrustBundle = defineKind<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  kind: 'ClusterTrustBundle',
  resource: 'clustertrustbundles',
  namespaced: false,
  featureGate: 'ClusterTrustBundle',
  validateName: (name, prefix, { spec }) => bundleNameProblems(name, spec.signerName ?? '', prefix),
  versions: [
    { name: 'v1', type: 'certificates.v1.ClusterTrustBundle' },
    {
      name: 'v1beta1',
      type: 'certificates.v1beta1.ClusterTrustBundle',
      served: false,
      deprecation:
        'certificates.k8s.io/v1beta1 ClusterTrustBundle is deprecated in v1.37+, unavailable in v1.40+; use certificates.k8s.io/v1 ClusterTrustBundle'
    }
  ],
  fieldSelectors: { fields: { 'spec.signerName': o => o.spec.signerName ?? '' } },
  table: {
    columns: builtinColumns<ClusterTrustBundle>('certificates.k8s.io/clustertrustbundles', {
      SignerName: o => o.spec.signerName || '<none>'
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    updateChecks: asNewThenChanges,
    validate({ spec }, errors, _context, old) {
      if (spec.signerName) validateAnySignerName(spec.signerName, path.child('signerName'), errors)
      // a bundle that a former release has accepted stays valid
      if (spec.trustBundle !== old?.spec.trustBundle) validateTrustBundle(spec.trustBundle, path.child('trustBundle'), errors)
    },
    validateUpdate({ spec }, old, errors) {
      validateImmutable(path.child('signerName'), spec.signerName ?? '', old.spec.signerName ?? '', errors)
    }
  }
})

/**
 * Returns what is wrong with a bundle's name: that of a signer's bundle begins with the signer's name,
 * "example.com:signer:bundle".
 */
export function bundleNameProblems(name: string, signerName: string, prefix: boolean): string[] {
  if (signerName === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : nameIsSubdomain(name, prefix)
  const beginning = `${signerName.replaceAll('/', ':')}:`
  return name.startsWith(beginning)
    ? nameIsSubdomain(name.slice(beginning.length), prefix)
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${beginning}`]
}
