import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../testkit/admission.js'
import { alwaysAdmit, alwaysDeny } from './always.js'

test('AlwaysAdmit refuses nothing, AlwaysDeny refuses every write', async () => {
  for (const operation of ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const) {
    const what = { operation, resource: 'pods', object: { metadata: { name: 'a' } } }
    assert.equal((await attempt(alwaysAdmit, what)).refused, undefined)
    assert.equal((await attempt(alwaysDeny, what)).refused, 'admission control is denying all modifications')
  }
})
