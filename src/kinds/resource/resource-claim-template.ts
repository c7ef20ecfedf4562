import type { ResourceClaimTemplate } from '../../api/generated/resource-v1.js'
import { defineKind } from '../../registry/kind.js'
import { Path } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { validateAnnotations, validateLabels } from '../../validation/object-meta.js'
import { commonColumn } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { defaultDeviceClaim, validateDeviceClaim } from './device-request.js'
import { claimFromStorage, claimToStorage } from './v1beta1.js'

export const resourceClaimTemplate = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  resource: 'resourceclaimtemplates',
  namespaced: true,
  versions: [
    { name: 'v1', type: 'resource.v1.ResourceClaimTemplate' },
    {
      name: 'v1beta2',
      type: 'resource.v1beta2.ResourceClaimTemplate',
      served: false,
      deprecation: 'resource.k8s.io/v1beta2 ResourceClaimTemplate is deprecated in v1.36+, unavailable in v1.39+'
    },
    {
      name: 'v1beta1',
      type: 'resource.v1beta1.ResourceClaimTemplate',
      served: false,
      deprecation: 'resource.k8s.io/v1beta1 ResourceClaimTemplate is deprecated in v1.35+, unavailable in v1.38+',
      toStorage: o => ({ ...o, spec: { ...o.spec, spec: { devices: claimToStorage(o.spec.spec.devices) } } }),
      fromStorage: o => ({ ...o, spec: { ...o.spec, spec: { devices: claimFromStorage(o.spec.spec.devices) } } })
    }
  ],
  columns: [commonColumn('Name'), commonColumn('Age')],
  returnsDeletedObject: true,
  revalidatesMetadata: true,
  default: o => defaultDeviceClaim(o.spec.spec.devices),
  validate({ spec }, errors) {
    const at = Path.of('spec')
    validateLabels(spec.metadata.labels, at.child('metadata', 'labels'), errors)
    validateAnnotations(spec.metadata.annotations, at.child('metadata', 'annotations'), errors)
    validateDeviceClaim(spec.spec.devices, at.child('spec', 'devices'), errors)
  },
  validateUpdate: (o, old, errors) =>
    validateImmutable('spec', o.spec, old.spec, errors, () => internalText('resource.v1.ResourceClaimTemplateSpec', o.spec))
})
