import type { IngressClass, IngressClassParametersReference } from '../../apimachinery/api/generated/networking-v1.js'
import { validateDomainPrefixedPath } from '../../apimachinery/validation/domain-path.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { plainText } from '../../apimachinery/validation/go-value.js'
import { isDns1123Label } from '../../apimachinery/validation/names.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { validateTypedReference } from './typed-reference.js'

const path = Path.of('spec')
const scopes = ['Cluster', 'Namespace']
const maxController = 250

export const ingressClass = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
  versions: [{ name: 'v1', type: 'networking.v1.IngressClass' }],
  table: {
    columns: builtinColumns<IngressClass>('networking.k8s.io/ingressclasses', {
      Controller: o => o.spec.controller,
      Parameters: o => parameters(o.spec.parameters)
    })
  },
  generation: true,
  strategy: {
    default({ spec }) {
      if (spec.parameters) spec.parameters.scope ??= 'Cluster'
    },
    updateChecks: changesThenAsNew,
    validate({ spec }, errors) {
      const { controller = '' } = spec
      const at = path.child('controller')
      if (Buffer.byteLength(controller) > maxController) errors.tooLong(at, maxController)
      validateDomainPrefixedPath(controller, at, errors)
      if (spec.parameters) validateParameters(spec.parameters, path.child('parameters'), errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      validateImmutable(path.child('controller'), spec.controller ?? '', old.controller ?? '', errors)
    }
  }
})

function parameters(reference: IngressClassParametersReference | undefined): string {
  if (!reference) return '<none>'
  return `${reference.kind}${reference.apiGroup ? `.${reference.apiGroup}` : ''}/${reference.name}`
}

function validateParameters(reference: IngressClassParametersReference, path: Path, errors: FieldErrors): void {
  validateTypedReference(reference, path, errors)
  const { scope, namespace } = reference
  const at = path.child('namespace')
  if (scope === undefined) errors.required(path.child('scope'))
  else if (!scopes.includes(scope)) errors.notSupported(path.child('scope'), plainText(scope), scopes)
  else if (scope === 'Cluster') {
    if (namespace !== undefined) errors.forbidden(at, "`parameters.scope` is set to 'Cluster'")
  } else if (namespace === undefined) errors.required(at, "`parameters.scope` is set to 'Namespace'")
  else for (const e of isDns1123Label(namespace)) errors.invalid(at, namespace, e)
}
