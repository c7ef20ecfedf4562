import type { ValidatingAdmissionPolicyBinding } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { bindingColumns, validateBinding } from './binding.js'
import { defaultMatchResources } from './match-resources.js'
import { validateParamRefAccess } from './param-access.js'
import { staticNames } from './static-names.js'

const actions = ['Audit', 'Deny', 'Warn']

export const validatingAdmissionPolicyBinding = defineKind<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  resource: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'admissionregistration.v1.ValidatingAdmissionPolicyBinding' }],
  table: { columns: bindingColumns('validatingadmissionpolicybindings') },
  generation: true,
  strategy: {
    ...staticNames,
    allowUnconditionalUpdate: false,
    default: o => defaultMatchResources(o.spec.matchResources),
    updateChecks: asNewThenOwnChanges,
    validate({ spec }, errors) {
      validateBinding(spec, Path.of('spec'), errors)
      validateActions(spec.validationActions ?? [], Path.of('spec', 'validationActions'), errors)
    },
    validateAccess: (o, _, errors, context) => validateParamRefAccess('validatingadmissionpolicies', o, errors, context)
  }
})

function validateActions(given: readonly string[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  given.forEach((action, i) => {
    if (!actions.includes(action)) errors.notSupported(path.index(i), action, actions)
    if (seen.has(action)) errors.duplicate(path.index(i), namedText(action))
    seen.add(action)
  })
  if (seen.has('Deny') && seen.has('Warn')) {
    errors.invalid(
      path,
      given,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
    )
  }
  if (given.length === 0) errors.required(path, 'at least one validation action is required')
}
