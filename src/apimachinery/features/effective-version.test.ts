import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { effectiveVersion } from './effective-version.js'

const refused = (emulated: string[], minCompatibility: string[]) => {
  try {
    effectiveVersion(emulated, minCompatibility)
  } catch (error) {
    assert.ok(error instanceof UserError)
    return error.message
  }
  return assert.fail('not refused')
}

describe('the effective version', () => {
  it('is the own one by default, and compatible with the one before', () => {
    assert.deepEqual(effectiveVersion(), { emulated: 37, minCompatibility: 36 })
    assert.deepEqual(effectiveVersion(['']), { emulated: 37, minCompatibility: 36 })
    assert.deepEqual(effectiveVersion(['kube=1.35']), { emulated: 35, minCompatibility: 34 })
    assert.deepEqual(effectiveVersion(['1.34']), { emulated: 34, minCompatibility: 34 })
    assert.deepEqual(effectiveVersion([], ['1.37']), { emulated: 37, minCompatibility: 37 })
  })

  for (const [emulated, minCompatibility, message] of [
    [
      ['1.32'],
      [],
      'emulation version 1.32 is not between [1.34, 1.37.0], minCompatibilityVersion version 1.34 is not between [1.34, 1.32]'
    ],
    [['1.38'], [], 'emulation version 1.38 is not between [1.34, 1.37.0]'],
    [['x'], [], '--emulated-version: could not parse "x" as version'],
    [['1.35.1'], [], '--emulated-version: patch version not allowed, got: kube=1.35.1'],
    [['foo=1.35'], [], '--emulated-version: component not registered: foo'],
    [['1.34', '1.35'], [], '--emulated-version: duplicate version flag, kube=1.34 and kube=1.35'],
    [[], ['1.30'], 'minCompatibilityVersion version 1.30 is not between [1.34, 1.37]'],
    [['1.34'], ['1.35'], 'minCompatibilityVersion version 1.35 is not between [1.34, 1.34]']
  ] as const)
    it(`refuses ${emulated} with ${minCompatibility}`, () => assert.equal(refused([...emulated], [...minCompatibility]), message))
})
