import type { MutatingAdmissionPolicyBinding } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { bindingColumns, validateBinding } from './binding.js'
import { defaultMatchResources } from './match-resources.js'
import { validateParamRefAccess } from './param-access.js'
import { validateMutatingOperations } from './rules.js'
import { staticNames } from './static-names.js'

export const mutatingAdmissionPolicyBinding = defineKind<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  resource: 'mutatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [
    { name: 'v1', type: 'admissionregistration.v1.MutatingAdmissionPolicyBinding' },
    {
      name: 'v1beta1',
      type: 'admissionregistration.v1beta1.MutatingAdmissionPolicyBinding',
      served: false,
      deprecation:
        'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding is deprecated in v1.37+, unavailable in v1.40+; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding'
    },
    {
      name: 'v1alpha1',
      type: 'admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding',
      served: false,
      // the later versions have no such default
      toStorage: o => {
        if (o.spec?.paramRef) o.spec.paramRef.parameterNotFoundAction ??= 'Deny'
        return o
      },
      deprecation:
        'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding is deprecated in v1.35+, unavailable in v1.38+'
    }
  ],
  table: { columns: bindingColumns('mutatingadmissionpolicybindings') },
  generation: true,
  strategy: {
    ...staticNames,
    allowUnconditionalUpdate: false,
    default: o => defaultMatchResources(o.spec.matchResources),
    updateChecks: asNewThenOwnChanges,
    validate({ spec }, errors) {
      const at = Path.of('spec')
      validateBinding(spec, at, errors)
      validateMutatingOperations(
        spec.matchResources?.resourceRules,
        at.child('matchResources', 'resourceRules', 'operations'),
        errors
      )
    },
    validateAccess: (o, _, errors, context) => validateParamRefAccess('mutatingadmissionpolicies', o, errors, context)
  }
})
