/** RoleBindings and ClusterRoleBindings share their subjects and the reference to a role. */
import type { RoleRef, Subject } from '../../apimachinery/api/generated/rbac-v1.js'
import type { Column } from '../../apimachinery/formats/column.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { plainText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../apimachinery/validation/names.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import type { KubeObject } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'

export interface Binding extends KubeObject {
  subjects?: Subject[] | undefined
  roleRef: RoleRef
}

export function defaultBinding({ roleRef, subjects }: Binding): void {
  roleRef.apiGroup ||= rbacGroup
  for (const subject of subjects ?? [])
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = rbacGroup
}

export function validateBinding({ roleRef, subjects }: Binding, namespaced: boolean, errors: FieldErrors): void {
  const at = Path.of('roleRef')
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (roleRef.apiGroup !== rbacGroup) errors.notSupported(at.child('apiGroup'), plainText(roleRef.apiGroup), [rbacGroup])
  if (!kinds.includes(roleRef.kind)) errors.notSupported(at.child('kind'), plainText(roleRef.kind), kinds)
  if (roleRef.name === '') errors.required(at.child('name'))
  else for (const e of isPathSegmentName(roleRef.name)) errors.invalid(at.child('name'), roleRef.name, e)
  subjects?.forEach((subject, i) => void validateSubject(subject, namespaced, Path.of('subjects').index(i), errors))
}

function validateSubject(
  { kind, name, apiGroup = '', namespace }: Subject,
  namespaced: boolean,
  path: Path,
  errors: FieldErrors
): void {
  if (name === '') errors.required(path.child('name'))
  if (kind === 'ServiceAccount') {
    if (name !== '') for (const e of isDns1123Subdomain(name)) errors.invalid(path.child('name'), name, e)
    if (apiGroup !== '') errors.notSupported(path.child('apiGroup'), plainText(apiGroup), [''])
    if (!namespaced && !namespace) errors.required(path.child('namespace'))
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== rbacGroup) errors.notSupported(path.child('apiGroup'), plainText(apiGroup), [rbacGroup])
  } else errors.notSupported(path.child('kind'), plainText(kind), ['ServiceAccount', 'User', 'Group'])
}

/** Refuses to change the role: a user who may bind it could otherwise give it to the subjects of another role. */
export function validateRoleRefUpdate({ roleRef }: Binding, old: Binding, errors: FieldErrors): void {
  if (!equalJson(roleRef, old.roleRef)) errors.invalid('roleRef', internalText('rbac.v1.RoleRef', roleRef), 'field is immutable')
}

/** Returns the columns. `resource` is rolebindings or clusterrolebindings. */
export function bindingColumns(resource: string): Column<Binding>[] {
  const names = (subjectKind: string) => (o: Binding) =>
    (o.subjects ?? [])
      .filter(subject => subject.kind === subjectKind)
      .map(({ name, namespace }) => (subjectKind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
      .join(', ')
  return builtinColumns(`${rbacGroup}/${resource}`, {
    Role: o => `${o.roleRef.kind}/${o.roleRef.name}`,
    Users: names('User'),
    Groups: names('Group'),
    ServiceAccounts: names('ServiceAccount')
  })
}
