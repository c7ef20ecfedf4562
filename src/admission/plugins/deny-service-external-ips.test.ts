import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../testkit/admission.js'
import { denyServiceExternalIPs } from './deny-service-external-ips.js'

const service = (...externalIPs: string[]) => ({ metadata: { name: 's' }, spec: { externalIPs } })
const refusal = async (object: object, oldObject?: object, subresource = '') => {
  const operation = oldObject ? 'UPDATE' : 'CREATE'
  return (await attempt(denyServiceExternalIPs, { operation, resource: 'services', subresource, object, oldObject })).refused
}

test('a Service cannot get new external IPs', async () => {
  const denied = 'Use of external IPs is denied by admission control'
  assert.equal(await refusal(service('192.0.2.1')), denied)
  assert.equal(await refusal(service()), undefined)
  assert.equal(await refusal(service('192.0.2.1'), service('192.0.2.1', '192.0.2.2')), undefined)
  assert.equal(await refusal(service('192.0.2.1', '192.0.2.3'), service('192.0.2.1')), denied)
  assert.equal(await refusal(service('192.0.2.1'), service(), 'status'), undefined)
})
