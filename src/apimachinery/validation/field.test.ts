import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldErrors, Path } from './field.js'

const path = Path.of('spec', 'list')

describe('errors of validation', () => {
  it('end a validation when there are too many', () => {
    const errors = new FieldErrors()
    let looked = 0
    errors.collect(() => {
      for (; looked < 1_000_000; looked++) errors.required(path.index(looked))
    })
    assert.equal(errors.list.length, 1000)
    assert.equal(looked, 1000)
  })

  it('end a validation when they show a megabyte', () => {
    const errors = new FieldErrors()
    errors.collect(() => {
      for (let i = 0; i < 900; i++) errors.invalid(path.index(i), 'x'.repeat(100_000), 'is long')
    })
    assert.equal(errors.list.length, 11)
  })

  it('of a part with a list of its own are kept', async () => {
    const errors = new FieldErrors()
    errors.required(path)
    const validatePart = () => {
      const part = new FieldErrors()
      for (let i = 0; i < 5000; i++) part.required(path.index(i))
    }
    errors.collect(validatePart)
    assert.equal(errors.list.length, 1000)
    const later = new FieldErrors()
    await later.collect(async () => validatePart())
    assert.equal(later.list.length, 1000)
  })

  it('do not hide other failures', () => {
    const errors = new FieldErrors()
    assert.throws(
      () =>
        errors.collect(() => {
          throw new TypeError('x')
        }),
      TypeError
    )
  })
})
