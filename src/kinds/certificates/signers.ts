import { aboutResource, type UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../apimachinery/request/user.js'

/** Whether a user may act for a signer, or for all signers of its domain ("example.com/*"). */
export async function maySign(
  authorizer: UnionAuthorizer,
  user: UserInfo,
  verb: 'approve' | 'attest' | 'sign',
  signerName: string
): Promise<boolean> {
  for (const name of [signerName, `${signerName.split('/')[0]}/*`]) {
    const question = { user, verb, group: 'certificates.k8s.io', resource: 'signers', name }
    if ((await authorizer.authorize(aboutResource(question))).allowed) return true
  }
  return false
}

/** Whether the signer is one of Kubernetes' own. */
export function isKubernetesSigner(signerName: string): boolean {
  const domain = signerName.split('/', 1)[0]!
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io')
}
