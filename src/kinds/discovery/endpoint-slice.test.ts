import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { endpointSlice } from './endpoint-slice.js'

const context: any = new RowClock(0)
const slice = (addresses: string[], more: any = {}): any => ({
  metadata: {},
  addressType: 'IPv4',
  endpoints: [{ addresses, conditions: {} }],
  ports: null,
  ...more
})

function problems(object: any): string[] {
  const errors = new FieldErrors()
  endpointSlice.strategy!.validate!(object, errors, context)
  endpointSlice.strategy!.validateCreate!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('EndpointSlice', () => {
  it('sets the default name and protocol of its ports', () => {
    const object = slice([], { ports: [{ port: 80 }] })
    endpointSlice.strategy!.default!(object, context)
    assert.deepEqual(object.ports, [{ port: 80, name: '', protocol: 'TCP' }])
  })

  it('has addresses of one family, without special ones', () => {
    assert.deepEqual(problems(slice(['10.0.0.1'])), [])
    assert.deepEqual(problems(slice(['fd00::1'])), ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'])
    assert.deepEqual(problems(slice(['127.0.0.1'])), [
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'
    ])
    assert.deepEqual(problems(slice([])), ['endpoints[0].addresses: Required value: must contain at least 1 address'])
  })

  it('shows three addresses at most', () => {
    const endpoints = endpointSlice.table!.columns!.find(c => c.name === 'Endpoints')!
    assert.equal(endpoints.value(slice(['a', 'b', 'c', 'd', 'e']), context), 'a,b,c + 2 more...')
    assert.equal(endpoints.value(slice([]), context), '<unset>')
  })
})
