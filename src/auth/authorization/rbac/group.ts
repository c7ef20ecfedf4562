export const rbacGroup = 'rbac.authorization.k8s.io'
