import type { RoleBinding } from '../../apimachinery/api/generated/rbac-v1.js'
import { isPathSegmentName } from '../../apimachinery/validation/names.js'
import { checkBinding } from '../../auth/authorization/rbac/escalation.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { bindingColumns, defaultBinding, validateBinding, validateRoleRefUpdate } from './binding.js'

export const roleBinding = defineKind<RoleBinding>({
  group: rbacGroup,
  kind: 'RoleBinding',
  resource: 'rolebindings',
  namespaced: true,
  validateName: isPathSegmentName,
  versions: [{ name: 'v1', type: 'rbac.v1.RoleBinding' }],
  table: { columns: bindingColumns('rolebindings') },
  strategy: {
    allowCreateOnUpdate: true,
    default: defaultBinding,
    authorize: (object, old, context) => checkBinding('rolebindings', object, old, context),
    updateChecks: asNewThenChanges,
    validate: (o, errors) => validateBinding(o, true, errors),
    validateUpdate: validateRoleRefUpdate
  }
})
