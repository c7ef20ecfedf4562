import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { readConfiguration } from './configuration.js'
import { validateConfiguration } from './validation.js'

const head = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n'
const secret = Buffer.alloc(32, 'k').toString('base64')

function problems(text: string, reloads = false): string[] {
  const errors = new FieldErrors()
  validateConfiguration(readConfiguration(head + text), reloads, errors)
  return errors.list.map(({ field, message }) => `${field}: ${message}`)
}

const resources = (list: string) => `resources: [{resources: ${list}, providers: [{identity: {}}]}]`
const provider = (given: string) => `resources: [{resources: [secrets], providers: [${given}]}]`
const at = 'resources[0].resources'

describe('the configuration of encryption', () => {
  it('is read by its present and its former kind', () => {
    const text = provider(`{aescbc: {keys: [{name: a, secret: "${secret}"}]}}`)
    const [first] = readConfiguration(head + text)
    assert.deepEqual(first!.resources, ['secrets'])
    assert.deepEqual(first!.providers[0]!.aescbc, { keys: [{ name: 'a', secret }] })
    assert.equal(readConfiguration(`kind: EncryptionConfig\napiVersion: v1\n${text}`).length, 1)
    const [{ providers }] = readConfiguration(head + provider('{kms: {name: a}}')) as any
    assert.deepEqual(providers[0].kms, { apiVersion: 'v1', name: 'a', endpoint: '', timeout: 3000, cachesize: 1000 })
  })

  it('shows no keys in errors', () => {
    const key = `keys: [{name: a, secret: "${secret}"}]`
    for (const text of [
      `resources: [{x: "${secret}"}]`,
      `kind: X\nresources: ["${secret}"]`,
      `apiVersion: ${head}\n${secret}: 1`
    ])
      assert.throws(
        () => readConfiguration(text),
        error => error instanceof ConfigError && !error.message.includes(secret)
      )
    for (const text of [
      provider(`{aescbc: {${key}}, aesgcm: {${key}}}`),
      provider(`{aescbc: {keys: [{name: a, secret: "x${secret}"}]}}`),
      provider(`{secretbox: {keys: [{name: a, secret: "${secret}${secret}"}]}}`)
    ]) {
      const found = problems(text)
      assert.equal(found.length, 1)
      assert.ok(!found[0]!.includes(secret), found[0])
    }
  })

  for (const [list, expected] of [
    ['[secrets]', []],
    ['[]', [`${at}: Required value: at least one ${at} is required`]],
    ['["*.*"]', []],
    ['[secrets, secrets]', [`${at}: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times`]],
    [
      '[secrets, "*."]',
      [
        `${at}: Invalid value: ["secrets","*."]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`
      ]
    ],
    ['[Secrets]', [`${at}[0]: Invalid value: "Secrets": resource name should not contain capital letters`]],
    [
      '["*"]',
      [`${at}[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`]
    ],
    [
      '[events.events.k8s.io]',
      [
        `${at}[0]: Invalid value: "events.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`
      ]
    ],
    ['["pods.*"]', [`${at}[0]: Invalid value: "pods.*": encrypting the same resource across groups is not supported`]]
  ] as const)
    it(`has the resources ${list}`, () => assert.deepEqual(problems(resources(list)), expected))

  it('needs distinct names of KMS providers', () => {
    const kms = '{kms: {apiVersion: v2, name: a, endpoint: "unix:///x"}}'
    assert.deepEqual(problems(provider(`${kms}, ${kms}`)), [
      'resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique'
    ])
    const v1 = '{kms: {name: a, endpoint: "unix:///x"}}'
    assert.deepEqual(problems(provider(`${v1}, ${v1}`)), [])
    assert.equal(problems(provider(`${v1}, ${v1}`), true).length, 1)
  })
})
