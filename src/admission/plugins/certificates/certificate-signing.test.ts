import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
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

test('the questions are about the signer and its domain', async () => {
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const what = {
    operation: 'UPDATE',
    resource,
    subresource: 'status',
    object: csr({ certificate: 'x' }),
    oldObject: csr({})
  } as const
  assert.deepEqual((await attempt(certificateSigning, what)).asked, [
    'sign signers.certificates.k8s.io /example.com/signer',
    'sign signers.certificates.k8s.io /example.com/*'
  ])
})

test('a certificate or condition that stays needs no permission', async () => {
  const status = { certificate: 'x', conditions: [{ type: 'Approved' }] }
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const update = async (now: object, before: object) =>
    (
      await attempt(certificateSigning, {
        operation: 'UPDATE',
        resource,
        subresource: 'status',
        object: csr(now),
        oldObject: csr(before)
      })
    ).asked.length > 0
  assert.equal(await update(status, status), false)
  assert.equal(await update({ ...status, certificate: 'y' }, status), true)
  assert.equal(await update({ ...status, conditions: [] }, status), true)
  assert.equal(await update({}, status), true)
})
