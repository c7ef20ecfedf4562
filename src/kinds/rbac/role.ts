import type { Role } from '../../apimachinery/api/generated/rbac-v1.js'
import { isPathSegmentName } from '../../apimachinery/validation/names.js'
import { checkRole } from '../../auth/authorization/rbac/escalation.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { validatePolicyRules } from './policy-rule.js'

export const role = defineKind<Role>({
  group: rbacGroup,
  kind: 'Role',
  resource: 'roles',
  namespaced: true,
  validateName: isPathSegmentName,
  versions: [{ name: 'v1', type: 'rbac.v1.Role' }],
  strategy: {
    allowCreateOnUpdate: true,
    authorize: (object, old, context) => checkRole('roles', object, old, context),
    updateChecks: asNewThenChanges,
    validate: ({ rules }, errors) => validatePolicyRules(rules, true, errors)
  }
})
