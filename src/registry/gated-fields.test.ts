import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { given, keepEmpty } from '../apimachinery/schema/given.js'
import { dropGatedFields, type GatedFields } from './gated-fields.js'

const gatedFields: readonly GatedFields[] = [
  { gates: 'ContainerStopSignals', fields: ['spec.{a,b}.*.lifecycle?.{stopSignal,other?.inner}'] },
  { gates: ['GenericWorkload', 'EnvFiles'], fields: ['spec.x', 'spec.y'], inUse: ['spec.x'] },
  { gates: 'HPAScaleToZero', part: 'spec.z', uses: z => z.n > 1, drop: z => void delete z.n }
]

function dropped(spec: object, old?: object, gates: Record<string, boolean> = {}): unknown {
  const object = structuredClone({ spec })
  dropGatedFields({ gatedFields }, new FeatureGates(gates), object, old && { spec: old })
  return object.spec
}

describe('fields of gates that are off', () => {
  it('are dropped from every item, with the structs that are left empty', () => {
    assert.deepEqual(
      dropped({
        a: [{ lifecycle: { stopSignal: 1 } }, { lifecycle: { stopSignal: 1, kept: 2 } }],
        b: { any: { lifecycle: { other: { inner: 1 } } } }
      }),
      { a: [{}, { lifecycle: { kept: 2 } }], b: { any: {} } }
    )
    assert.deepEqual(dropped({ a: null, b: [null, 7] }), { a: null, b: [null, 7] })
  })

  it('stay where the old object uses one of them', () => {
    assert.deepEqual(dropped({ x: 1, y: 2 }, { y: 1 }), {})
    assert.deepEqual(dropped({ x: 1, y: 2 }, { x: 3 }), { x: 1, y: 2 })
  })

  it('go with the empty lists that were given', () => {
    const spec: { x?: [] } = {}
    keepEmpty(spec, 'x', [])
    dropGatedFields({ gatedFields }, new FeatureGates({}), { spec })
    assert.equal(given(spec, 'x'), undefined)
  })

  it('need all gates', () => {
    assert.deepEqual(dropped({ x: 1 }, undefined, { GenericWorkload: true }), { x: 1 })
    assert.deepEqual(dropped({ x: 1 }, undefined, { GenericWorkload: true, EnvFiles: false }), {})
  })

  it('may be found and dropped by functions', () => {
    const off = { HPAScaleToZero: false }
    assert.deepEqual(dropped({ z: { n: 2 } }, undefined, off), { z: {} })
    assert.deepEqual(dropped({ z: { n: 1 } }, undefined, off), { z: { n: 1 } })
    assert.deepEqual(dropped({ z: { n: 2 } }, { z: { n: 2 } }, off), { z: { n: 2 } })
    assert.deepEqual(dropped({ z: { n: 2 } }), { z: { n: 2 } })
  })
})
