import type { IPAddress, ParentReference } from '../../apimachinery/api/generated/networking-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isCanonicalIP } from '../../apimachinery/validation/ip.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns, undefinedColumn } from '../columns.js'
import { validateImmutable } from '../immutable.js'

const path = Path.of('spec', 'parentRef')

/** The kind IPAddress: an allocated address, which is the name of the object. */
export const ipAddress = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  resource: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  validateName: isCanonicalIP,
  versions: [
    { name: 'v1', type: 'networking.v1.IPAddress' },
    {
      name: 'v1beta1',
      type: 'networking.v1beta1.IPAddress',
      served: false,
      deprecation: 'networking.k8s.io/v1beta1 IPAddress is deprecated in v1.34+, unavailable in v1.37+'
    }
  ],
  table: {
    // kube-apiserver's rows have an age without a column
    columns: [
      ...builtinColumns<IPAddress>('networking.k8s.io/ipaddresses', { ParentRef: o => parentName(o.spec.parentRef) }),
      undefinedColumn(age)
    ]
  },
  strategy: {
    takesGenerateName: true,
    updateChecks: asNewThenChanges,
    validate({ spec: { parentRef } }, errors) {
      if (parentRef) validateParent(parentRef, errors)
      else errors.required(path)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      const { parentRef } = spec
      validateImmutable(path, parentRef, old.parentRef, errors, () =>
        parentRef ? internalText('networking.v1.ParentReference', parentRef) : null
      )
    }
  }
})

function parentName(parent: ParentReference | undefined): string {
  if (!parent) return '<none>'
  const { group, resource = '', namespace, name = '' } = parent
  return [(group ? `${resource}.${group}` : resource).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/')
}

export function validateParent({ group, resource, namespace, name }: ParentReference, errors: FieldErrors): void {
  if (group) for (const e of isDns1123Subdomain(group)) errors.invalid(path.child('group'), group, e)
  for (const [field, value] of Object.entries({ resource, name })) {
    if (!value) errors.required(path.child(field))
    else for (const e of isPathSegmentName(value)) errors.invalid(path.child(field), value, e)
  }
  if (namespace) for (const e of isPathSegmentName(namespace)) errors.invalid(path.child('namespace'), namespace, e)
}
