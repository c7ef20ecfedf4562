import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../features/feature-gates.js'
import { FieldErrors, Path } from './field.js'
import {
  canonicalIP,
  cidrWarnings,
  containedIn,
  ipFamily,
  ipWarnings,
  isCanonicalIP,
  validateCanonicalCIDR,
  validateCIDR,
  validateEndpointIP,
  validateInterfaceAddress,
  validateIP
} from './ip.js'

const at = Path.of('a')

function wrong(
  validate: (text: string, path: Path, errors: FieldErrors) => void,
  text: string,
  gates?: Record<string, boolean>
): string {
  const errors = new FieldErrors(gates && new FeatureGates(gates))
  validate(text, at, errors)
  return errors.list.map(e => e.message.replace(/^Invalid value: "[^"]*": /, '')).join()
}

describe('addresses', () => {
  it('are refused when they are ambiguous', () => {
    assert.equal(wrong(validateIP, '10.0.0.1'), '')
    assert.equal(wrong(validateIP, 'FD00:0:0::1'), '')
    assert.equal(wrong(validateIP, '10.0.0.01'), 'must not have leading 0s')
    assert.equal(wrong(validateIP, '02001:DB8::0:1'), 'must not have leading 0s')
    assert.equal(wrong(validateIP, '02001:DB8::0:1', { StrictIPCIDRValidation: false }), '')
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
    assert.equal(wrong(validateInterfaceAddress, '::ffff:10.1.0.1/112'), 'must be in canonical form ("10.1.0.1/16")')
    assert.equal(wrong(validateInterfaceAddress, '::ffff:10.1.0.1/16'), 'must be in canonical form ("10.1.0.1/16")')
    assert.match(
      cidrWarnings('10.1.0.1/16', at)[0]!,
      /ambiguous in this context \(should be "10.1.0.0\/16" or "10.1.0.1\/32"\?\)/
    )
  })
})

describe('without StrictIPCIDRValidation', () => {
  const loose = { StrictIPCIDRValidation: false }

  it('leading zeros, mapped addresses and bits beyond the prefix are valid', () => {
    for (const text of ['010.0.0.1', '::ffff:10.0.0.1']) assert.equal(wrong(validateIP, text, loose), '')
    for (const text of ['010.0.0.0/8', '10.0.0.0/08', '10.0.0.5/24', '::ffff:10.0.0.0/104'])
      assert.equal(wrong(validateCIDR, text, loose), '')
    assert.match(wrong(validateIP, 'x', loose), /^must be a valid IP address/)
    assert.match(wrong(validateCIDR, '10.0.0.0/33', loose), /^must be a valid CIDR value/)
    assert.match(wrong(validateCanonicalCIDR, '010.0.0.0/8', loose), /^must not have leading 0s/)
  })

  it('addresses have one canonical text', () => {
    assert.equal(canonicalIP('010.000.0.1'), '10.0.0.1')
    assert.equal(canonicalIP('::ffff:10.0.0.01'), '10.0.0.1')
    assert.equal(canonicalIP('2001:DB8:0::1'), '2001:db8::1')
    assert.equal(canonicalIP('None'), 'None')
    assert.equal(ipFamily('::FFFF:10.0.0.1'), 'IPv4')
    assert.equal(ipFamily('ffff::1'), 'IPv6')
  })

  it('special addresses are known in all spellings', () => {
    for (const [text, why] of [
      ['127.000.000.1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      ['::ffff:127.0.0.1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      ['0:0::1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      ['0::0', 'may not be unspecified (0::0)'],
      ['FEBF::1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
      ['ff12::1', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
      ['224.0.1.1', '']
    ] as const)
      assert.equal(wrong(validateEndpointIP, text), why)
  })

  it('mapped CIDRs contain those of IPv4', () => {
    assert.ok(containedIn('10.0.0.0/8')('::ffff:10.1.0.0/112'))
    assert.ok(!containedIn('::ffff:10.0.0.0/104')('10.1.0.0/16'))
    assert.ok(containedIn('010.0.0.0/8')('10.1.0.5/24'))
    assert.ok(!containedIn('10.0.0.0/8')('fd00::/16'))
    assert.match(cidrWarnings('::ffff:10.0.0.0/120', at)[0]!, /^a: non-standard CIDR value .* is invalid: use "10.0.0.0\/24"$/)
  })
})
