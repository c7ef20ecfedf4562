import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldErrors, Path } from './field.js'
import {
  cidrWarnings,
  ipWarnings,
  isCanonicalIP,
  validateCanonicalCIDR,
  validateCIDR,
  validateInterfaceAddress,
  validateIP
} from './ip.js'

const at = Path.of('a')

function wrong(validate: (text: string, path: Path, errors: FieldErrors) => void, text: string): string {
  const errors = new FieldErrors()
  validate(text, at, errors)
  return errors.list.map(e => e.message.replace(/^Invalid value: "[^"]*": /, '')).join()
}

describe('addresses', () => {
  it('are refused when they are ambiguous', () => {
    assert.equal(wrong(validateIP, '10.0.0.1'), '')
    assert.equal(wrong(validateIP, 'FD00:0:0::1'), '')
    assert.equal(wrong(validateIP, '10.0.0.01'), 'must not have leading 0s')
    assert.equal(wrong(validateIP, '::ffff:10.0.0.1'), 'must not be an IPv4-mapped IPv6 address')
    assert.equal(wrong(validateIP, '10.0.0.0256'), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')
    assert.deepEqual(isCanonicalIP('FD00::1'), ['must be in canonical form ("fd00::1")'])
  })

  it('get a warning when they are not canonical', () => {
    assert.deepEqual(ipWarnings('10.0.0.1', at), [])
    assert.match(
      ipWarnings('FD00::1', at)[0]!,
      /^a: IPv6 address "FD00::1" should be in RFC 5952 canonical format \("fd00::1"\)$/
    )
    assert.match(ipWarnings('010.0.0.1', at)[0]!, /^a: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"$/)
  })
})

describe('CIDRs', () => {
  it('have no bits beyond their prefix', () => {
    assert.equal(wrong(validateCIDR, '10.1.0.0/16'), '')
    assert.equal(wrong(validateCIDR, '10.1.0.1/16'), 'must not have bits set beyond the prefix length')
    assert.equal(wrong(validateCIDR, '10.1.0.0/016'), 'must not have leading 0s in IP or prefix length')
    assert.equal(wrong(validateCanonicalCIDR, 'FD00::/64'), 'must be in canonical form ("fd00::/64")')
    assert.equal(wrong(validateInterfaceAddress, '10.1.0.1/16'), '')
    assert.match(
      cidrWarnings('10.1.0.1/16', at)[0]!,
      /ambiguous in this context \(should be "10.1.0.0\/16" or "10.1.0.1\/32"\?\)/
    )
  })
})
