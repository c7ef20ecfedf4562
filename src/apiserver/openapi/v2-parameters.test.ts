import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedParameters } from './v2-parameters.js'

const body = (type: string) => ({ name: 'body', in: 'body', schema: { $ref: `#/definitions/${type}` } })

test("shared parameters have kube-apiserver's names", () => {
  const shared = new SharedParameters()
  const options = body('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')
  assert.deepEqual(shared.refer(options), { $ref: '#/parameters/body-2Y1dVQaQ' })
  assert.deepEqual(shared.refer(options), shared.refer(options))
  assert.deepEqual([...shared.all.keys()], ['body-2Y1dVQaQ'])
})

test('parameters of a single kind are not shared', () => {
  const shared = new SharedParameters()
  for (const parameter of [body('io.k8s.api.core.v1.Pod'), { name: 'name', in: 'path' }, { name: 'dryRun', in: 'query' }])
    assert.equal(shared.refer(parameter), parameter)
})
