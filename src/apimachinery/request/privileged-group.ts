import type { Authorizer, Decision } from './authorization.js'

export const PRIVILEGED_GROUP = 'system:masters'

const allowed: Decision = { allowed: true, reason: '' }

/** Allows members of system:masters everything, whatever the other authorizers say. */
export const privilegedGroup: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(PRIVILEGED_GROUP) ? allowed : undefined)
}
