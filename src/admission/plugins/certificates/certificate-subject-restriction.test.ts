import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { signingRequest } from '../../../testkit/signing-request.js'
import { certificateSubjectRestriction } from './certificate-subject-restriction.js'

const client = 'kubernetes.io/kube-apiserver-client'
const refusal = async (signerName: string, request: string) => {
  const resource = 'certificatesigningrequests.certificates.k8s.io'
  const object = { metadata: { name: 'csr' }, spec: { signerName, request } }
  return (await attempt(certificateSubjectRestriction, { resource, object })).refused
}

test('the signer for clients issues no certificate for system:masters', async () => {
  const masters = signingRequest('system:masters', 'mallory')
  assert.equal(await refusal(client, masters), `use of ${client} signer with system:masters group is not allowed`)
  assert.equal(await refusal(client, signingRequest('dev', 'alice')), undefined)
  assert.equal(await refusal('example.com/signer', masters), undefined)
  assert.match((await refusal(client, 'x'))!, /^failed to parse CSR: PEM block type must be CERTIFICATE REQUEST/)
})
