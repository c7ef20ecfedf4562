import type { ClusterRole } from '../../api/generated/rbac-v1.js'
import { checkRole } from '../../authorization/rbac/escalation.js'
import { rbacGroup } from '../../authorization/rbac/group.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { Path } from '../../validation/field.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { isPathSegmentName } from '../../validation/names.js'
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
