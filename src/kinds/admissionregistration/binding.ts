/** What the bindings of validating and mutating admission policies have in common. */
import type { MatchResources, ParamRef } from '../../api/generated/admissionregistration-v1.js'
import type { Column } from '../../registry/kind.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../validation/names.js'
import { commonColumn } from '../columns.js'
import { validateMatchResources } from './match-resources.js'

interface BindingSpec {
  policyName?: string | undefined
  paramRef?: ParamRef | undefined
  matchResources?: MatchResources | undefined
}

export const bindingColumns: readonly Column<{ spec: BindingSpec }>[] = [
  commonColumn('Name'),
  {
    name: 'PolicyName',
    type: 'string',
    description: 'PolicyName indicates the policy definition which the policy binding binded to',
    value: o => o.spec.policyName ?? ''
  },
  {
    name: 'ParamRef',
    type: 'string',
    description: 'ParamRef indicates the param resource which sets the configration param',
    value: o => shownParam(o.spec.paramRef)
  },
  commonColumn('Age')
]

function shownParam(param: ParamRef | undefined): string {
  if (!param) return '<unset>'
  const { name = '', namespace = '' } = param
  return namespace === '' ? name : `${namespace}/${name}`
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
  if (name !== '') for (const e of isPathSegmentName(name, false)) errors.invalid(at.child('name'), name, e)
  if (both) errors.forbidden(at.child('name'), why)
  validateLabelSelector(selector, at.child('selector'), errors)
  if (both) errors.forbidden(at.child('selector'), why)
  if (name === '' && !selector) errors.required(at, 'one of name or selector must be specified')
  if (!action) errors.required(at.child('parameterNotFoundAction'))
  else if (!notFoundActions.includes(action)) errors.notSupported(at.child('parameterNotFoundAction'), action, notFoundActions)
}
