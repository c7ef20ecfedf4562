import { ANONYMOUS, UNAUTHENTICATED_GROUP } from '../../apimachinery/request/user.js'
import type { Authenticated } from './authenticator.js'

/** The user of a request without credentials. */
export const anonymous: Authenticated = { user: { name: ANONYMOUS, groups: [UNAUTHENTICATED_GROUP] } }
