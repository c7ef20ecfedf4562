import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  compareQuantity,
  integerValue,
  milliValue,
  parseQuantity
} from './quantity.js'

const canonical: [given: string, shown: string][] = [
  ['0', '0'],
  ['0Mi', '0'],
  ['1000m', '1'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.', '1.'],
  ['1500', '1500'],
  ['100000', '100k'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1.7Ki', '1740800m'],
  ['1.0001Ki', '1024102400u'],
  ['-1.0001Ki', '-1024102400u'],
  ['7.9999999999Ei', '9223372036739483657539315303n'],
  ['1025Ki', '1025Ki'],
  ['512', '512'],
  ['0.5Ki', '512'],
  ['1e3', '1e3'],
  ['12e6', '12e6'],
  ['1E2', '100'],
  ['-2', '-2'],
  ['+3k', '+3k'],
  ['0010', '0010'],
  ['00100000', '100k'],
  ['1.500', '1.500'],
  ['0.500', '500m'],
  ['0010Mi', '0010Mi'],
  ['0016Mi', '16Mi'],
  ['12E6', '12E6'],
  ['0.0000000001', '1n'],
  ['.', '0'],
  ['10Ei', '9223372036854775807'],
  ['e3', '0'],
  ['e00001', '0'],
  ['e-9', '0'],
  ['0e-99', '0'],
  ['0e99999999', '0'],
  // of 64 bits, 32 count
  ['e9223372036854775807', '0'],
  ['123456789012345678901234567890', '123456789012345678901234567890']
]

for (const [given, shown] of canonical) test(`${given} is shown as ${shown}`, () => assert.equal(canonicalQuantity(given), shown))

for (const [given, message] of [
  ['', /must match the regular expression/],
  ['1 Gi', /must match the regular expression/],
  ['abc', /must match the regular expression/],
  ['1.2.3', /must match the regular expression/],
  ['Ei', /unable to parse numeric part/],
  ['1KK', /unable to parse quantity's suffix/],
  ['e9223372036854775808', /unable to parse quantity's suffix/],
  ['1e1000', /unable to parse quantity's suffix/],
  ['e-10', /unable to parse numeric part of quantity/],
  ['9'.repeat(5000), /must match the regular expression/]
] as const) {
  test(`refuses ${given.slice(0, 10)}`, () => assert.throws(() => canonicalQuantity(given), { message }))
}

test('compares and rounds across formats', () => {
  assert.equal(compareQuantity(parseQuantity('1Gi'), parseQuantity('1G')), 1)
  assert.equal(compareQuantity(parseQuantity('1000m'), parseQuantity('1')), 0)
  assert.equal(compareQuantity(parseQuantity('-1'), parseQuantity('1n')), -1)
  assert.equal(integerValue(parseQuantity('1500m')), 2n)
  assert.equal(milliValue(parseQuantity('1.0001')), 1001n)
})

test('a sum may be larger than what Go reads', () => {
  assert.equal(addQuantities('7Ei', '7Ei'), '14Ei')
  assert.equal(compareQuantities('14Ei', '9223372036854775807'), 1)
  assert.equal(canonicalQuantity('14Ei'), '9223372036854775807')
  // Go has no name for 10^21
  assert.equal(addQuantities('9e20', '9e20'), '1800e18')
  assert.equal(addQuantities('600E', '400E'), '1')
})

// what k8s.io/apimachinery 0.37.2 answers
for (const [given, value, thousandths] of [
  ['-1.5', -2n, -1500n],
  ['-1.00001Ki', -1023n, -1024009n],
  ['-1.0000000001', 0n, -999n],
  ['5Gi', 5n * 2n ** 30n, 5n * 2n ** 30n * 1000n],
  ['7Ei', 7n * 2n ** 60n, BigInt.asIntN(64, 7n * 2n ** 60n * 1000n)],
  ['-10Ei', -(2n ** 63n - 1n), 1000n],
  // Go multiplies by 10^9 in one step, and by 10^21 in steps
  ['9223372036854775M', -808000n, -808000000n],
  ['900E', 0n, 0n]
] as const)
  test(`the whole part and the thousandths of ${given} are those of Go`, () => {
    const quantity = parseQuantity(given)
    assert.deepEqual([integerValue(quantity), milliValue(quantity)], [value, thousandths])
  })
