import type { ResourceClaimTemplate, ResourceClaimTemplateSpec } from '../../apimachinery/api/generated/resource-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutableRaw } from '../immutable.js'
import { inGoOrder } from '../metadata-order.js'
import { validateTemplateMetadata } from '../template-metadata.js'
import { validateAdminAccess } from './admin-access.js'
import { defaultDeviceClaim, validateDeviceClaim } from './device-request.js'
import { claimGatedFields } from './gated-fields.js'
import { claimFromStorage, claimToStorage, pathInStorage } from './v1beta1.js'

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
      fromStorage: o => ({ ...o, spec: { ...o.spec, spec: { devices: claimFromStorage(o.spec.spec.devices) } } }),
      pathInStorage
    }
  ],
  table: { columns: builtinColumns<ResourceClaimTemplate>('resource.k8s.io/resourceclaimtemplates', {}) },
  gatedFields: claimGatedFields('spec.spec'),
  strategy: {
    default: o => defaultDeviceClaim(o.spec.spec.devices),
    // what needs a permission comes first
    createChecks: ['validateCreate', 'objectMeta', 'validate'],
    updateChecks: asNewThenChanges,
    validate({ spec }, errors) {
      const at = Path.of('spec')
      validateTemplateMetadata(spec.metadata, at.child('metadata'), errors)
      validateDeviceClaim(spec.spec.devices, at.child('spec', 'devices'), errors)
    },
    validateCreate: (o, errors, context) => validateAdminAccess(o.spec.spec.devices, errors, context),
    validateUpdate: (o, old, errors) =>
      validateImmutableRaw('spec', 'resource.v1.ResourceClaimTemplateSpec', o.spec, old.spec, errors, () => shown(o.spec))
  },
  deletion: { returnsObject: true }
})

/** Returns the spec as errors print it: kube-apiserver's internal type has the fields of the metadata beside the claim's spec. */
function shown({ metadata, spec }: ResourceClaimTemplateSpec): GoText {
  const outer = goJson(inGoOrder(metadata)).slice(0, -1)
  return new GoText(`${outer}${outer === '{' ? '' : ','}"Spec":${internalText('resource.v1.ResourceClaimSpec', spec).text}}`)
}
