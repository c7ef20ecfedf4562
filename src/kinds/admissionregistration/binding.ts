/** Columns and validation that the bindings of validating and mutating admission policies share. */
import type { MatchResources, ParamRef } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { LabelSelector } from '../../apimachinery/api/generated/meta-v1.js'
import type { Column } from '../../apimachinery/formats/column.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../apimachinery/validation/names.js'
import { builtinColumns } from '../columns.js'
import { validateMatchResources } from './match-resources.js'

interface BindingSpec {
  policyName?: string | undefined
  paramRef?: ParamRef | undefined
  matchResources?: MatchResources | undefined
}

/** Returns the columns. `resource` is validatingadmissionpolicybindings or mutatingadmissionpolicybindings. */
export const bindingColumns = (resource: string): Column<{ spec: BindingSpec }>[] =>
  builtinColumns(`admissionregistration.k8s.io/${resource}`, {
    PolicyName: o => o.spec.policyName ?? '',
    ParamRef: o => shownParam(o.spec.paramRef)
  })

function shownParam(param: ParamRef | undefined): string {
  const { name = '', namespace, selector } = param ?? {}
  if (name !== '') return `${namespace || '*'}/${name}`
  return selector ? goLabelSelector(selector) : '<unset>'
}

/** Formats a selector as Go prints a Protobuf message. */
function goLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map(key => `${key}: ${matchLabels[key]},`)
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`
}

const notFoundActions = ['Deny', 'Allow']

export function validateBinding(spec: BindingSpec, at: Path, errors: FieldErrors): void {
  const { policyName = '', paramRef, matchResources } = spec
  if (policyName === '') errors.required(at.child('policyName'))
  else for (const e of isDns1123Subdomain(policyName)) errors.invalid(at.child('policyName'), policyName, e)
  if (paramRef) validateParamRef(paramRef, at.child('paramRef'), errors)
  if (matchResources) validateMatchResources(matchResources, at.child('matchResources'), errors)
}

function validateParamRef(
  { name = '', selector, parameterNotFoundAction: action }: ParamRef,
  at: Path,
  errors: FieldErrors
): void {
  const both = name !== '' && selector !== undefined
  const why = 'name and selector are mutually exclusive'
  if (name !== '') for (const e of isPathSegmentName(name)) errors.invalid(at.child('name'), name, e)
  if (both) errors.forbidden(at.child('name'), why)
  validateLabelSelector(selector, at.child('selector'), errors)
  if (both) errors.forbidden(at.child('selector'), why)
  if (name === '' && !selector) errors.required(at, 'one of name or selector must be specified')
  if (!action) errors.required(at.child('parameterNotFoundAction'))
  else if (!notFoundActions.includes(action)) errors.notSupported(at.child('parameterNotFoundAction'), action, notFoundActions)
}
