import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { certificateApproval } from './certificate-approval.js'

const oldObject = { metadata: { name: 'csr' }, spec: { signerName: 'example.com/signer' } }
const refusal = async (subresource: string, ...allowed: string[]) => {
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const what = { operation: 'UPDATE', resource, subresource, object: oldObject, oldObject } as const
  return (await attempt(certificateApproval, { ...what, allows: q => allowed.includes(q) })).refused
}

test('a user who approves a request must be allowed to approve for its signer, or for the signers of its domain', async () => {
  const denied = 'user not permitted to approve requests with signerName "example.com/signer"'
  assert.equal(await refusal('approval'), denied)
  assert.equal(await refusal('approval', 'sign signers/example.com/signer'), denied)
  assert.equal(await refusal('approval', 'approve signers/example.com/signer'), undefined)
  assert.equal(await refusal('approval', 'approve signers/example.com/*'), undefined)
  assert.equal(await refusal('status'), undefined)
})

test('the questions are about the signer and its domain', async () => {
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const what = { operation: 'UPDATE', resource, subresource: 'approval', object: oldObject, oldObject } as const
  assert.deepEqual((await attempt(certificateApproval, what)).asked, [
    'approve signers.certificates.k8s.io /example.com/signer',
    'approve signers.certificates.k8s.io /example.com/*'
  ])
})
