import type { MutatingAdmissionPolicy, Mutation } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { applyConfiguration, type ExpressionValidator, jsonPatch } from './expressions.js'
import { validateParamKindAccess } from './param-access.js'
import { defaultPolicy, shownParamKind, validatePolicy } from './policy.js'
import { staticNames } from './static-names.js'

export const reinvocationPolicies = ['IfNeeded', 'Never']

export const mutatingAdmissionPolicy = defineKind<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  resource: 'mutatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [
    { name: 'v1', type: 'admissionregistration.v1.MutatingAdmissionPolicy' },
    {
      name: 'v1beta1',
      type: 'admissionregistration.v1beta1.MutatingAdmissionPolicy',
      served: false,
      deprecation:
        'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy is deprecated in v1.37+, unavailable in v1.40+; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicy'
    },
    {
      name: 'v1alpha1',
      type: 'admissionregistration.v1alpha1.MutatingAdmissionPolicy',
      served: false,
      deprecation: 'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy is deprecated in v1.35+, unavailable in v1.38+'
    }
  ],
  table: {
    columns: builtinColumns<MutatingAdmissionPolicy>('admissionregistration.k8s.io/mutatingadmissionpolicies', {
      Mutations: o => o.spec.mutations?.length ?? 0,
      ParamKind: shownParamKind
    })
  },
  generation: true,
  strategy: {
    ...staticNames,
    allowUnconditionalUpdate: false,
    default: o => defaultPolicy(o.spec),
    updateChecks: asNewThenOwnChanges,
    validate({ spec }, errors, _context, old) {
      const at = Path.of('spec')
      const expressions = validatePolicy(
        spec,
        at,
        errors,
        new NewExpressions(errors.minCompatibility, old && expressionsOf(old)),
        {
          mutating: true
        }
      )
      const { reinvocationPolicy = '', mutations } = spec
      if (!mutations?.length) errors.required(at.child('mutations'), 'mutations must contain at least one item')
      mutations?.forEach((mutation, i) => {
        validateMutation(mutation, expressions, at.child('mutations').index(i), errors)
      })
      if (reinvocationPolicy === '') errors.required(at.child('reinvocationPolicy'))
      else if (!reinvocationPolicies.includes(reinvocationPolicy))
        errors.notSupported(at.child('reinvocationPolicy'), reinvocationPolicy, reinvocationPolicies)
    },
    validateAccess: validateParamKindAccess
  }
})

function* expressionsOf({ spec }: MutatingAdmissionPolicy): Generator<string | undefined> {
  for (const { expression } of [...(spec.matchConditions ?? []), ...(spec.variables ?? [])]) yield expression
  for (const { applyConfiguration, jsonPatch } of spec.mutations ?? []) yield (applyConfiguration ?? jsonPatch)?.expression
}

/** The field that belongs to each type of patch. */
const fieldsByType = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const
const expectedByField = { applyConfiguration, jsonPatch }

function validateMutation(mutation: Mutation, expressions: ExpressionValidator, at: Path, errors: FieldErrors): void {
  const types = Object.keys(fieldsByType) as (keyof typeof fieldsByType)[]
  const { patchType } = mutation
  if (patchType === '') return errors.required(at.child('patchType'))
  if (!types.some(t => t === patchType)) return errors.notSupported(at.child('patchType'), patchType, types)
  const inOrder = types.toSorted((a, b) => Number(b === patchType) - Number(a === patchType))
  for (const type of inOrder) {
    const field = fieldsByType[type]
    const given = mutation[field]
    if (type === patchType && !given) errors.required(at.child(field), `must be specified when patchType is ${type}`)
    else if (type === patchType) {
      const expression = given?.expression?.trim() ?? ''
      if (expression === '') errors.required(at.child(field, 'expression'))
      else expressions.validate(expression, expectedByField[field], at.child(field, 'expression'), errors)
    } else if (type !== patchType && given)
      errors.invalid(at.child(field), `{${field}}`, `must not be specified when patchType is ${patchType}`)
  }
}
