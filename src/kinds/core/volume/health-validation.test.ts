import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validatePodVolumeHealth } from './health-validation.js'

it("a Pod's volumes are reported on by their names, with reasons in one word", () => {
  const errors = new FieldErrors()
  const conditions = ['Slow', 'a b', ''].map(reason => ({ status: 'Degraded' as const, reason }))
  const list = [
    { name: 'data', healthConditions: conditions, lastTransitionTime: null },
    ...['other', ''].map(name => ({ name, lastTransitionTime: null }))
  ]
  validatePodVolumeHealth(list, [{ name: 'data' }], Path.of('status', 'volumeHealth'), errors)
  assert.deepEqual(
    errors.list.map(({ field, message }) => [field, message.split(':')[0]]),
    [
      ['status.volumeHealth[0].healthConditions[1].reason', 'Invalid value'],
      ['status.volumeHealth[1].name', 'Not found']
    ]
  )
})
