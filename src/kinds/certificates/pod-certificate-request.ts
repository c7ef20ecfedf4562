import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { defineKind } from '../../registry/kind.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns, formatLabels } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { certificateSeconds, validatePodCertificateSpec } from './pod-certificate-spec.js'
import { validatePodCertificateStatus } from './pod-certificate-status.js'
import { maySign } from './signers.js'

export const podCertificateRequest = defineKind<PodCertificateRequest>({
  group: 'certificates.k8s.io',
  kind: 'PodCertificateRequest',
  resource: 'podcertificaterequests',
  namespaced: true,
  featureGate: 'PodCertificateRequest',
  versions: [
    {
      name: 'v1',
      type: 'certificates.v1.PodCertificateRequest',
      toStorage: o => ({ ...o, spec: { ...o.spec, pkixPublicKey: null, proofOfPossession: null } }),
      fromStorage: o => ({ ...o, spec: withoutProvenKey(o.spec) })
    },
    {
      name: 'v1beta1',
      type: 'certificates.v1beta1.PodCertificateRequest',
      served: false,
      deprecation:
        'certificates.k8s.io/v1beta1 PodCertificateRequest is deprecated in v1.37+, unavailable in v1.40+; use certificates.k8s.io/v1 PodCertificateRequest'
    }
  ],
  // v1 has no fields for a key and its proof
  storage: { cachedAs: 'v1beta1' },
  fieldSelectors: {
    fields: {
      'spec.nodeName': o => o.spec.nodeName,
      'spec.podName': o => o.spec.podName,
      'spec.signerName': o => o.spec.signerName
    }
  },
  table: {
    columns: builtinColumns<PodCertificateRequest>('certificates.k8s.io/podcertificaterequests', {
      PodName: o => o.spec.podName,
      ServiceAccountName: o => o.spec.serviceAccountName,
      NodeName: o => o.spec.nodeName,
      SignerName: o => o.spec.signerName,
      State: o => o.status.conditions?.findLast(({ type }) => ['Issued', 'Denied', 'Failed'].includes(type))?.type ?? 'Pending',
      UnverifiedUserAnnotations: o => formatLabels(o.spec.unverifiedUserAnnotations)
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    default({ spec }) {
      spec.maxExpirationSeconds ??= certificateSeconds.ofKubernetes
    },
    prepareForCreate(o) {
      o.status = {}
    },
    validateCreate({ spec }, errors) {
      validatePodCertificateSpec(spec, errors)
    },
    validateUpdate({ spec }, old, errors) {
      validateImmutable(Path.of('spec'), spec, old.spec, errors, () =>
        internalText('certificates.v1beta1.PodCertificateRequestSpec', spec)
      )
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      async validateUpdate(o, old, errors, { now, user, services }) {
        if (errors.any) return
        validatePodCertificateStatus(o, old, now, errors)
        if (errors.any || equalJson(o.status, old.status)) return
        const { signerName } = old.spec
        if (await maySign(services.authorizer, user, 'sign', signerName)) return
        const why = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`
        errors.forbidden(Path.of('spec', 'signerName'), why)
      }
    }
  }
})

function withoutProvenKey({ pkixPublicKey: _, proofOfPossession: __, ...spec }: PodCertificateRequestSpec): object {
  return spec
}
