import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from './paths.js'

test('keys are printed as Go prints values, even those that fit no key', () => {
  assert.equal(
    pathOf(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name']),
    '.spec.ports[port=80,protocol="TCP"].name'
  )
  assert.equal(pathOf(['f:a', 'k:{"name":{}}']), '.a[name=]')
  assert.equal(pathOf(['f:a', 'k:{"name":{"b":[1,"c",null]}}']), '.a[name=b=[1,"c",null]]')
  assert.equal(pathOf(['f:a', 'v:"x"', 'i:0']), '.a[="x"][0]')
})
