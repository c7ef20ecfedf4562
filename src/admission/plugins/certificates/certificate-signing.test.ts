import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testing/admission.js'
import { certificateSigning } from './certificate-signing.js'

const csr = (status: object) => ({ metadata: { name: 'csr' }, spec: { signerName: 'example.com/signer' }, status })
const refusal = async (status: object, ...allowed: string[]) => {
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const what = { operation: 'UPDATE', resource, subresource: 'status', object: csr(status), oldObject: csr({}) } as const
  return (await attempt(certificateSigning, { ...what, allows: q => allowed.includes(q) })).refused
}

test('a user who issues a certificate or sets a condition must be allowed to sign for the signer', async () => {
  const denied = 'user not permitted to sign requests with signerName "example.com/signer"'
  assert.equal(await refusal({ certificate: 'x' }), denied)
  assert.equal(await refusal({ conditions: [{ type: 'Failed' }] }), denied)
  assert.equal(await refusal({ certificate: 'x' }, 'sign signers/example.com/*'), undefined)
  assert.equal(await refusal({ conditions: [] }), undefined)
})
