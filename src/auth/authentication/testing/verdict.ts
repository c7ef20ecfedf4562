/** What the server makes of a chain of certificates, in a form that can be compared with other verifiers' answers. */
import { toPem } from '../../../transport/certificates/issue.js'
import type { Chain } from '../../../transport/certificates/testing/chains.js'
import { x509Authenticator } from '../x509.js'

/** `nobody` for a trusted certificate without a name. */
export interface Verdict {
  readonly result: 'user' | 'nobody' | 'refused'
  readonly user?: string
  readonly uid?: string
  readonly groups?: readonly string[]
}

export function verdictOf({ roots, presented }: Chain, now: number): Verdict {
  const answer = answerTo(roots, presented, now)
  if (answer === 'unauthorized') return { result: 'refused' }
  if (!answer) return { result: 'nobody' }
  const { name, uid, groups } = answer.user
  return { result: 'user', user: name, ...(uid === undefined ? {} : { uid }), ...(groups.length === 0 ? {} : { groups }) }
}

function answerTo(roots: readonly Buffer[], presented: readonly Buffer[], now: number) {
  const clock = { now: () => now, setTimeout: () => assertNoTimer() }
  const request = { headers: {}, rawHeaders: () => [], peerCertificates: () => presented }
  try {
    return x509Authenticator(
      roots.map(root => toPem(root)),
      clock
    )(request)
  } catch {
    // An authority that cannot be read: a server does not start with it.
    return 'unauthorized'
  }
}

const assertNoTimer = (): never => {
  throw new Error('verifying needs no timer')
}
