import type { Workload } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isLongName, isPathSegmentName } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateUnchanged } from '../immutable.js'
import { groupGatedFields, validateGroupFields, validateShortName, validateUniqueNames } from './pod-group-template.js'

const maxTemplates = 8
const at = Path.of('spec')

/** The kind Workload: groups of Pods that belong together, as templates of PodGroups (KEP-4671). */
export const workload = defineKind<Workload>({
  group: 'scheduling.k8s.io',
  kind: 'Workload',
  resource: 'workloads',
  namespaced: true,
  featureGate: 'GenericWorkload',
  versions: [
    { name: 'v1beta1', type: 'scheduling.v1beta1.Workload', served: false },
    { name: 'v1alpha3', type: 'scheduling.v1alpha3.Workload', served: false }
  ],
  table: { columns: builtinColumns<Workload>('scheduling.k8s.io/workloads', {}) },
  gatedFields: groupGatedFields('spec.podGroupTemplates.*'),
  strategy: {
    validateCreate({ spec }, errors) {
      const { controllerRef, podGroupTemplates } = spec
      if (controllerRef) {
        const path = at.child('controllerRef')
        if (controllerRef.apiGroup)
          for (const e of isLongName(controllerRef.apiGroup)) errors.invalid(path.child('apiGroup'), controllerRef.apiGroup, e)
        for (const field of ['kind', 'name'] as const) {
          const name = controllerRef[field]
          if (name === '') errors.required(path.child(field))
          else for (const e of isPathSegmentName(name, false)) errors.invalid(path.child(field), name, e)
        }
      }
      if (!validateTemplateCount(podGroupTemplates, errors)) return
      const path = at.child('podGroupTemplates')
      validateUniqueNames(podGroupTemplates, path, errors)
      podGroupTemplates.forEach((template, i) => {
        validateShortName(template.name, path.index(i).child('name'), errors)
        validateGroupFields(template, path.index(i), errors)
      })
    },
    validateUpdate({ spec }, old, errors) {
      validateUnchanged(spec, old.spec, 'controllerRef', at, errors)
      if (validateUnchanged(spec, old.spec, 'podGroupTemplates', at, errors))
        validateTemplateCount(spec.podGroupTemplates, errors)
    }
  }
})

/** Validates the number of templates. Returns whether the templates are worth validating. */
function validateTemplateCount(
  templates: Workload['spec']['podGroupTemplates'],
  errors: FieldErrors
): templates is NonNullable<typeof templates> {
  const path = at.child('podGroupTemplates')
  if (!templates?.length) errors.required(path)
  else if (templates.length > maxTemplates) errors.tooMany(path, templates.length, maxTemplates)
  else return true
  return false
}
