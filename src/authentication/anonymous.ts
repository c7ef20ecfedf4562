import type { Authenticated } from './authenticator.js'
import { ANONYMOUS, UNAUTHENTICATED_GROUP } from './user.js'

/** Who comes without credentials. */
export const anonymous: Authenticated = { user: { name: ANONYMOUS, groups: [UNAUTHENTICATED_GROUP] } }
