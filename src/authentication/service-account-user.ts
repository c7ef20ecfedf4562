import type { UserInfo } from './user.js'

/** A ServiceAccount as a user, before it has signed in. */
export const serviceAccountUser = (namespace: string, name: string): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
})
