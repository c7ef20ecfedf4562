import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { FieldErrors } from '../../../apimachinery/validation/field.js'
import { asNewThenChanges, changesThenAsNew, type StatusCheck, type UpdateCheck } from '../../checks.js'
import type { Strategy } from '../../strategy.js'
import type { StatusSubresource } from '../../subresource.js'
import { validateUpdate } from './validate.js'

/** Metadata with two causes: the name is invalid, and has changed. */
const object = { metadata: { name: '_', resourceVersion: '1' } }
const old = { metadata: { name: 'a', resourceVersion: '1' } }

const finds = (what: string) => (errors: FieldErrors) => errors.invalid(what, 1)
const strategy: Strategy<any> = {
  validate: (_, errors) => finds('validate')(errors),
  validateUpdate: (_, __, errors) => finds('validateUpdate')(errors),
  warnings: () => ['careful']
}
const status: StatusSubresource<any> = { validateUpdate: (_, __, errors) => finds('status')(errors) }
const resize = (updateChecks?: readonly UpdateCheck[]) => ({ resize: updateChecks ? { updateChecks } : {} })

async function causes(kind: object, subresource = ''): Promise<string[]> {
  const operation: any = {
    subresource,
    resource: { kind: { group: 'example.com', custom: {}, ...kind } },
    groupKind: {},
    services: {}
  }
  try {
    await validateUpdate(operation, object, old)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return error.status.details!.causes!.map(cause => cause.field!)
  }
  return []
}

const name = 'metadata.name'
/** The generic code accepts the name as part of a path, but not its change. */
const generic = [name]

test('an update is validated in the order that its kind lists', async () => {
  const checked = (updateChecks?: readonly UpdateCheck[]) =>
    causes({ strategy: { ...strategy, ...(updateChecks ? { updateChecks } : {}) } })
  assert.deepEqual(await checked(), [...generic, name, 'validate', 'validateUpdate'])
  assert.deepEqual(await checked(asNewThenChanges), [...generic, name, 'validate', name, 'validateUpdate'])
  assert.deepEqual(await checked(changesThenAsNew), [...generic, name, 'validateUpdate', name, 'validate'])
  assert.deepEqual(await checked(['validate']), [...generic, 'validate'])
})

test('a subresource may list checks of its own', async () => {
  const checked = (updateChecks?: readonly UpdateCheck[]) =>
    causes({ strategy: { ...strategy, updateChecks: ['validate'] }, subresources: { others: resize(updateChecks) } }, 'resize')
  assert.deepEqual(await checked(), [...generic, 'validate'])
  assert.deepEqual(await checked(['validateUpdate', 'validate']), [...generic, 'validateUpdate', 'validate'])
})

test('an update of the status is validated only by the rules of the status', async () => {
  const checked = (updateChecks?: readonly StatusCheck[]) =>
    causes({ strategy, subresources: { status: { ...status, ...(updateChecks ? { updateChecks } : {}) } } }, 'status')
  assert.deepEqual(await checked(), [...generic, name, 'status'])
  assert.deepEqual(await checked(['validateUpdate']), [...generic, 'status'])
  assert.deepEqual(await causes({ strategy, subresources: { status: true } }, 'status'), [...generic, name])
})

test('a valid update adds the warnings of the resource or subresource', async () => {
  const warnings: string[] = []
  const kind = { group: 'example.com', custom: {}, strategy: { warnings: strategy.warnings }, subresources: { status: true } }
  const warn = (text: string) => void warnings.push(text)
  await validateUpdate({ subresource: '', resource: { kind }, groupKind: {}, services: {}, warn } as any, old, old)
  assert.deepEqual(warnings, ['careful'])
  await validateUpdate({ subresource: 'status', resource: { kind }, groupKind: {}, services: {}, warn } as any, old, old)
  assert.deepEqual(warnings, ['careful'])
})
