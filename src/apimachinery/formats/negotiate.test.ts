import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatusError } from '../status/status.js'
import { negotiate, negotiateDiscovery, wantsPretty } from './negotiate.js'

const tables = { transforms: true }
const protobuf = 'application/vnd.kubernetes.protobuf'
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const chosen: [accept: string | undefined, form: string][] = [
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json;charset=utf-8', 'application/json'],
  ['application/yaml, application/json', 'application/yaml'],
  ['application/json;q=0.4, application/yaml;q=0.9', 'application/yaml'],
  ['text/html, application/json;q=0.1', 'application/json'],
  ['application/json;q=0', 'application/json'],
  [asTable, 'application/json Table'],
  [`${asTable},application/json`, 'application/json Table'],
  ['application/json;as=Thing;v=v1;g=meta.k8s.io,application/json', 'application/json'],
  ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 'application/json'],
  [`${protobuf},application/json`, protobuf],
  [`${protobuf};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`, `${protobuf} PartialObjectMetadata`],
  [`${protobuf};as=Table;v=v1;g=meta.k8s.io,${asTable}`, 'application/json Table']
]
for (const [accept, form] of chosen) {
  test(`${accept ?? 'no Accept header'} gets ${form}`, () => {
    const { mediaType, transform } = negotiate(accept, false, tables)
    assert.equal([mediaType, transform].filter(Boolean).join(' '), form)
  })
}

test('a wildcard selects the first form that fits', () => {
  assert.equal(negotiate('application/*', false, tables).mediaType, 'application/json')
  assert.equal(negotiate('*;stream=watch', false).mediaType, 'application/json')
  assert.equal(
    negotiateDiscovery('*/*;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io', false)?.mediaType,
    'application/json'
  )
})

test('a Table is not offered for objects without columns', () => {
  const { transform } = negotiate(`${asTable},application/json`, false, { transforms: true, tables: false })
  assert.equal(transform, undefined)
})

for (const accept of [
  'application/xml',
  'text/plain',
  'nonsense',
  'APPLICATION/JSON',
  'application/yaml;stream=watch',
  'application/json;sv=v2',
  'application/json;as=Thing;v=v1;g=meta.k8s.io'
]) {
  test(`${accept} is 406`, () =>
    assert.throws(
      () => negotiate(accept, false, tables),
      (error: unknown) => error instanceof StatusError && error.code === 406
    ))
}

test('browsers and curl get indented JSON by default', () => {
  assert.equal(wantsPretty(new URLSearchParams(), 'curl/8.1'), true)
  assert.equal(wantsPretty(new URLSearchParams('pretty=false'), 'curl/8.1'), false)
  assert.equal(wantsPretty(new URLSearchParams(), 'kubectl/v1.36'), false)
  assert.equal(wantsPretty(new URLSearchParams('pretty=true'), 'kubectl/v1.36'), true)
})
