import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { storageVersionNameErrors, validateStorageVersionStatus } from './storage-version-validation.js'

const problems = (status: object) => {
  const errors = new FieldErrors()
  validateStorageVersionStatus(status as never, errors)
  return errors.list.map(({ field, message }) => `${field}: ${message}`)
}
const server = (apiServerID: string, encodingVersion: string) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion]
})

test('names have a group and a resource', () => {
  assert.deepEqual(storageVersionNameErrors('apps.deployments'), [])
  assert.deepEqual(storageVersionNameErrors('pods'), ['name must be in the form of <group>.<resource>'])
  assert.match(storageVersionNameErrors('Apps.pods')[0]!, /^the group segment a lowercase RFC 1123 subdomain/)
  assert.match(storageVersionNameErrors('core.')[0]!, /^the resource segment a DNS-1035 label/)
})

test('a server reads what it writes and serves', () => {
  assert.deepEqual(problems({ commonEncodingVersion: 'apps/v1', storageVersions: [server('a', 'apps/v1')] }), [])
  const wrong = { ...server('a', 'v1'), decodableVersions: ['v2'], servedVersions: ['v2', 'v3'] }
  assert.deepEqual(problems({ commonEncodingVersion: 'v1', storageVersions: [wrong] }), [
    'status.storageVersions[0].decodableVersions: Invalid value: ["v2"]: decodableVersions must include encodingVersion v1',
    'status.storageVersions[0].servedVersions[1]: Invalid value: "v3": individual served version : v3 must be included in decodableVersions : [v2]'
  ])
  const [message] = problems({ commonEncodingVersion: 'a/b/c', storageVersions: [server('a', 'a/b/c')] })
  assert.match(message!, /encodingVersion: Invalid value: "a\/b\/c": an apiVersion is a DNS-1035 label, which must consist/)
})

test('the common version is the one of all servers', () => {
  assert.deepEqual(problems({ storageVersions: [server('a', 'v1')] }), [
    'status.commonEncodingVersion: Invalid value: null: the common encoding version is v1'
  ])
  assert.deepEqual(problems({ commonEncodingVersion: 'v2', storageVersions: [server('a', 'v1')] }), [
    'status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1'
  ])
  assert.match(problems({ commonEncodingVersion: 'v1' })[0]!, /should be nil if servers do not agree/)
  assert.match(
    problems({ commonEncodingVersion: 'v1', storageVersions: [server('a', 'v1'), server('a', 'v1')] })[0]!,
    /storageVersions\[1\].apiServerID: Duplicate value: "a"$/
  )
})

test('conditions have a reason and a message', () => {
  assert.deepEqual(problems({ conditions: [{ type: 'A', status: 'True' }] }), [
    'status[0].reason: Required value',
    'status[0].message: Required value'
  ])
})
