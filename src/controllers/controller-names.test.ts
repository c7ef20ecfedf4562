import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controllerNames, enabledControllers, expectedControllers, simulatedNames } from './controller-names.js'

const enabled = (...items: string[]) => [...enabledControllers(items)]

const allNames = [...controllerNames, ...simulatedNames]
const onRequest = ['bootstrap-signer-controller', 'service-cidr-controller', 'token-cleaner-controller']

test('all controllers run by default but those on request', () => {
  assert.deepEqual(
    [...enabledControllers(undefined)],
    allNames.filter(name => !onRequest.includes(name))
  )
  assert.deepEqual(enabled('*', 'tokencleaner', 'bootstrapsigner', 'service-cidr-controller'), allNames)
})

test('* enables all controllers except those switched off, by current or older names', () => {
  const without = (...off: string[]) => allNames.filter(name => ![...off, ...onRequest].includes(name))
  assert.deepEqual(enabled('*', '-namespace-controller'), without('namespace-controller'))
  const off = ['garbage-collector-controller', 'serviceaccount-controller']
  assert.deepEqual(enabled('-garbagecollector', '*', '-serviceaccount'), without(...off))
})

test('without * only the named controllers run', () => {
  assert.deepEqual(enabled('namespace'), ['namespace-controller'])
  assert.deepEqual(enabled('-namespace'), [])
})

test('the first item that names a controller decides', () => {
  assert.deepEqual(enabled('namespace', '-namespace-controller'), ['namespace-controller'])
})

test('an unknown name is refused with a list of the known ones', () => {
  for (const item of ['gardener', '-gardener', '--namespace', '-*', '']) {
    assert.throws(() => enabled(item), {
      name: 'UserError',
      message: `--controllers ${JSON.stringify(item)} ${expectedControllers}`
    })
  }
})
