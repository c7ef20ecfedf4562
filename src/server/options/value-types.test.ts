import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ranges } from './number-ranges.js'
import {
  bool,
  host,
  InvalidValue,
  integer,
  ip,
  oneOf,
  portRange,
  runtimeConfig,
  serviceRange,
  stringArray,
  strings,
  type ValueType
} from './value-types.js'

const port = integer('int', ranges.port)
const list = strings(text => text)

const accepted: [string, ValueType<any>, Record<string, unknown>][] = [
  ['bool', bool, { true: true, T: true, 1: true, false: false, F: false, 0: false }],
  ['port', port, { 0: 0, 6443: 6443, 65535: 65535 }],
  ['ip', ip, { '0.0.0.0': '0.0.0.0', '::1': '::1' }],
  ['host', host, { '': undefined, 'k8s.example.com': 'k8s.example.com', '10.0.0.1': '10.0.0.1' }],
  ['service range', serviceRange, { '10.0.0.0/24': '10.0.0.0/24', '10.96.0.0/12, fd00::/108': '10.96.0.0/12,fd00::/108' }],
  [
    'port range',
    portRange,
    { '30000-32767': '30000-32767', '30000+10': '30000-30010', 80: '80-80', '65000+1000': '65000-65535' }
  ],
  ['strings', list, { 'a, b': ['a', 'b'] }],
  [
    'runtime config',
    runtimeConfig,
    {
      'api/alpha=true,apps/v1=false': { 'api/alpha': true, 'apps/v1': false },
      'resource.k8s.io/v1beta1': { 'resource.k8s.io/v1beta1': true },
      'apps/v1/deployments=': { 'apps/v1/deployments': true },
      '': {}
    }
  ]
]

const refused: [string, ValueType<any>, Record<string, RegExp>][] = [
  ['bool', bool, { yes: /^must be true or false$/, '': /true or false/, TrUe: /true or false/ }],
  [
    'port',
    port,
    {
      65536: /^must be a port number from 0 to 65535$/,
      '-1': /0 to 65535/,
      '1e3': /0 to/,
      '': /0 to/,
      ' 1': /0 to/,
      80.5: /0 to/
    }
  ],
  ['ip', ip, { localhost: /^must be an IP address$/, '': /IP/, '10.0.0.0/8': /IP/ }],
  ['host', host, { 'a b': /^must be a host name or an IP address$/, 'https://x': /host name/ }],
  [
    'service range',
    serviceRange,
    {
      '10.0.0.0': /^must be a CIDR/,
      '10.0.0.0/33': /^must be a CIDR/,
      'x/24': /^must be a CIDR/,
      '10.0.0.0/30': /^is too small/,
      '10.0.0.0/24,10.1.0.0/24': /two of different IP families$/,
      '10.0.0.0/24,fd00::/108,10.1.0.0/24': /two of different IP families$/
    }
  ],
  [
    'port range',
    portRange,
    { '0-10': /^must be a range of ports/, '20-10': /range/, '1-65536': /range/, 'a-b': /range/, '1-2-3': /range/ }
  ],
  [
    'runtime config',
    runtimeConfig,
    {
      apps: /^must be key=true or key=false, where/,
      'apps/v1=on': /^must say true or false for apps\/v1, not "on"$/,
      '__proto__/v1': /^must be key=true/
    }
  ],
  [
    'choice',
    oneOf(['lmdb', 'memory'], ['etcd3']),
    { sqlite: /^must be lmdb or memory$/, etcd3: /^is not supported yet: use lmdb or memory$/ }
  ]
]

describe('values of flags', () => {
  for (const [name, type, cases] of accepted) {
    for (const [text, value] of Object.entries(cases)) {
      it(`accepts ${JSON.stringify(text)} as ${name}`, () => assert.deepEqual(type.read(text, undefined), value))
    }
  }

  for (const [name, type, cases] of refused) {
    for (const [text, message] of Object.entries(cases)) {
      it(`refuses ${JSON.stringify(text)} as ${name}`, () => {
        assert.throws(
          () => type.read(text, undefined),
          (error: Error) => error instanceof InvalidValue && message.test(error.message)
        )
      })
    }
  }

  it('collects lists and maps from several occurrences', () => {
    assert.deepEqual(list.read('c', ['a', 'b']), ['a', 'b', 'c'])
    assert.deepEqual(stringArray().read('c,d', ['a']), ['a', 'c,d'])
    assert.deepEqual(runtimeConfig.read('api/beta=false', { 'api/all': true, 'api/beta': true }), {
      'api/all': true,
      'api/beta': false
    })
  })
})
