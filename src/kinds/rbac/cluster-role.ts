import type { ClusterRole } from '../../apimachinery/api/generated/rbac-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isPathSegmentName } from '../../apimachinery/validation/names.js'
import { checkRole } from '../../auth/authorization/rbac/escalation.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { isValidSelector } from '../pod-owner.js'
import { validatePolicyRules } from './policy-rule.js'

export const clusterRole = defineKind<ClusterRole>({
  group: rbacGroup,
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
  validateName: isPathSegmentName,
  versions: [{ name: 'v1', type: 'rbac.v1.ClusterRole' }],
  strategy: {
    allowCreateOnUpdate: true,
    authorize: (object, old, context) => checkRole('clusterroles', object, old, context),
    updateChecks: asNewThenChanges,
    validate({ rules, aggregationRule }, errors) {
      validatePolicyRules(rules, false, errors)
      if (!aggregationRule) return
      const at = Path.of('aggregationRule', 'clusterRoleSelectors')
      const selectors = aggregationRule.clusterRoleSelectors ?? []
      if (selectors.length === 0) errors.required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil')
      selectors.forEach((selector, i) => {
        validateLabelSelector(selector, at.index(i), errors)
        if (!isValidSelector(selector)) errors.invalid(at.index(i), null, 'invalid label selector.')
      })
    }
  }
})
