import { ANONYMOUS, UNAUTHENTICATED_GROUP } from '../request/user.js'
import type { Authenticated } from './authenticator.js'

/** Who comes without credentials. */
export const anonymous: Authenticated = { user: { name: ANONYMOUS, groups: [UNAUTHENTICATED_GROUP] } }
