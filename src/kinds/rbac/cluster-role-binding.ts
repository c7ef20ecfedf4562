import type { ClusterRoleBinding } from '../../apimachinery/api/generated/rbac-v1.js'
import { isPathSegmentName } from '../../apimachinery/validation/names.js'
import { checkBinding } from '../../auth/authorization/rbac/escalation.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { bindingColumns, defaultBinding, validateBinding, validateRoleRefUpdate } from './binding.js'

export const clusterRoleBinding = defineKind<ClusterRoleBinding>({
  group: rbacGroup,
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
  validateName: isPathSegmentName,
  versions: [{ name: 'v1', type: 'rbac.v1.ClusterRoleBinding' }],
  table: { columns: bindingColumns('clusterrolebindings') },
  strategy: {
    allowCreateOnUpdate: true,
    default: defaultBinding,
    authorize: (object, old, context) => checkBinding('clusterrolebindings', object, old, context),
    updateChecks: asNewThenChanges,
    validate: (o, errors) => validateBinding(o, false, errors),
    validateUpdate: validateRoleRefUpdate
  }
})
