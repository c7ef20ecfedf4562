import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controllerNames, enabledControllers, expectedControllers } from './controller-names.js'

const enabled = (...items: string[]) => [...enabledControllers(items)]

const onRequest = ['bootstrap-signer-controller', 'token-cleaner-controller']

test('all controllers but those of bootstrap tokens run when nothing is said', () => {
  assert.deepEqual(
    [...enabledControllers(undefined)],
    controllerNames.filter(name => !onRequest.includes(name))
  )
  assert.deepEqual(enabled('*', 'tokencleaner', 'bootstrapsigner'), [...controllerNames])
})

test('* stands for all but those that are switched off, by new names or old', () => {
  const without = (...off: string[]) => controllerNames.filter(name => ![...off, ...onRequest].includes(name))
  assert.deepEqual(enabled('*', '-namespace-controller'), without('namespace-controller'))
  const off = ['garbage-collector-controller', 'serviceaccount-controller']
  assert.deepEqual(enabled('-garbagecollector', '*', '-serviceaccount'), without(...off))
})

test('without * only those run that are named', () => {
  assert.deepEqual(enabled('namespace'), ['namespace-controller'])
  assert.deepEqual(enabled('-namespace'), [])
})

test('what is said first about a controller counts', () => {
  assert.deepEqual(enabled('namespace', '-namespace-controller'), ['namespace-controller'])
})

test('unknown names are refused with the known ones', () => {
  for (const item of ['gardener', '-gardener', '--namespace', '-*', '']) {
    assert.throws(() => enabled(item), {
      name: 'UserError',
      message: `--controllers ${JSON.stringify(item)} ${expectedControllers}`
    })
  }
})
