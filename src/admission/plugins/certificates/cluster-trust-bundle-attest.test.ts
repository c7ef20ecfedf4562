import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, attempt } from '../../../testkit/admission.js'
import { clusterTrustBundleAttest } from './cluster-trust-bundle-attest.js'

const bundle = (signerName: string | undefined, metadata: object = {}, trustBundle = 'x') => ({
  metadata: { name: 'b', ...metadata },
  spec: { signerName, trustBundle }
})
const tryTo = (what: Partial<Attempt>, ...allowed: string[]) =>
  attempt(clusterTrustBundleAttest, {
    resource: 'clustertrustbundles.certificates.k8s.io',
    namespace: '',
    object: bundle('example.com/signer'),
    allows: question => allowed.includes(question),
    ...what
  })
const denied = 'user not permitted to attest for signerName "example.com/signer"'

test('who publishes the anchors of a signer must be allowed to attest for it', async () => {
  const { refused, asked } = await tryTo({})
  assert.equal(refused, denied)
  assert.deepEqual(asked, [
    'attest signers.certificates.k8s.io /example.com/signer',
    'attest signers.certificates.k8s.io /example.com/*'
  ])
  for (const permission of ['attest signers/example.com/signer', 'attest signers/example.com/*'])
    assert.equal((await tryTo({}, permission)).refused, undefined)
  assert.equal((await tryTo({}, 'sign signers/example.com/signer')).refused, denied)
})

test('anchors of no signer need no permission', async () => {
  for (const name of [undefined, '']) assert.deepEqual((await tryTo({ object: bundle(name) })).asked, [])
})

test('an update needs the permission, unless it is for the garbage collector', async () => {
  const oldObject = bundle('example.com/signer')
  const update = (object: object) => tryTo({ operation: 'UPDATE', object, oldObject })
  assert.equal((await update(bundle('example.com/signer', {}, 'y'))).refused, denied)
  assert.equal((await update(bundle('example.com/signer', { labels: { a: 'b' } }))).refused, denied)
  assert.equal((await update(bundle('example.com/signer', { finalizers: ['f'], ownerReferences: [{}] }))).refused, undefined)
  assert.equal((await tryTo({ object: oldObject, oldObject })).refused, denied)
})
