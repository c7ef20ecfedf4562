import type { Authorizer, Decision, UserRules } from './authorizer.js'

const allowed: Decision = { allowed: true, reason: '' }

const everything: UserRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false
}

/** Members of system:masters may do everything. */
export const privilegedGroup: Authorizer = {
  authorize: ({ user }) => (user.groups.includes('system:masters') ? allowed : undefined),
  rulesFor: user => (user.groups.includes('system:masters') ? everything : undefined)
}

export const alwaysAllow: Authorizer = { authorize: () => allowed, rulesFor: () => everything }
