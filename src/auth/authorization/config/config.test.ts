import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { UserError } from '../../../util/user-error.js'
import { readConfiguration } from './configuration.js'
import { authorizersFromOptions } from './flags.js'
import { loadConfiguration } from './load.js'

let directory: string
let kubeConfigFile: string

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-authorization-'))
  kubeConfigFile = join(directory, 'kubeconfig')
  writeFileSync(kubeConfigFile, '')
})
after(() => rmSync(directory, { recursive: true }))

const text = (authorizers: unknown, version = 'v1') =>
  JSON.stringify({ apiVersion: `apiserver.config.k8s.io/${version}`, kind: 'AuthorizationConfiguration', authorizers })
const good = () => ({
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile }
})
const webhook = (change: object = {}) => text([{ type: 'Webhook', name: 'w', webhook: { ...good(), ...change } }])
const problem = (config: string, required?: string[]): string => {
  try {
    loadConfiguration(config, required)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return ''
}

describe('a configuration of authorizers', () => {
  it('has defaults', () => {
    for (const version of ['v1', 'v1beta1', 'v1alpha1'])
      assert.deepEqual(readConfiguration(text([{ type: 'Webhook', name: 'w', webhook: {} }, { type: 'RBAC' }], version)), [
        {
          type: 'Webhook',
          name: 'w',
          webhook: {
            authorizedTTL: 300_000,
            cacheAuthorizedRequests: true,
            unauthorizedTTL: 30_000,
            cacheUnauthorizedRequests: true,
            timeout: 0,
            subjectAccessReviewVersion: '',
            matchConditionSubjectAccessReviewVersion: '',
            failurePolicy: '',
            connectionInfo: { type: '', kubeConfigFile: undefined },
            matchConditions: []
          }
        },
        { type: 'RBAC', name: '', webhook: undefined }
      ])
  })

  it('keeps what it says', () => {
    const times = { authorizedTTL: '1h', unauthorizedTTL: '1.5s', timeout: '500ms' }
    const more = { cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false, matchConditions: [{ expression: 'true' }] }
    const [found] = loadConfiguration(webhook({ ...times, ...more }))
    const { webhook: read, name } = found!
    assert.equal(name, 'w')
    assert.deepEqual(read, { ...good(), ...more, authorizedTTL: 3_600_000, unauthorizedTTL: 1500, timeout: 500 })
  })

  it('may have several webhooks, and one of each other type', () => {
    const hook = (name: string) => ({ type: 'Webhook', name, webhook: good() })
    const all = ['Node', 'RBAC', 'ABAC', 'AlwaysAllow', 'AlwaysDeny'].map(type => ({ type, name: type.toLowerCase() }))
    assert.equal(loadConfiguration(text([hook('a'), ...all, hook('b.example.com')])).length, 7)
  })

  const required = 'Required value'
  for (const [what, config, message] of [
    ['nothing', () => '', 'authorizers: Required value: at least one authorization mode must be defined'],
    ['no authorizers', () => text([]), 'authorizers: Required value: at least one authorization mode must be defined'],
    ['no type', () => text([{ name: 'a' }]), `authorizers[0].type: ${required}`],
    [
      'an unknown type',
      () => text([{ type: 'X', name: 'a' }]),
      'authorizers[0].type: Unsupported value: "X": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"'
    ],
    [
      'a type twice',
      () => text([{ type: 'RBAC', name: 'rbac' }, { type: 'RBAC' }]),
      'authorizers[1].type: Duplicate value: "RBAC"'
    ],
    ['no name', () => text([{ type: 'RBAC' }]), `authorizers[0].name: ${required}`],
    [
      'a name twice',
      () =>
        text([
          { type: 'RBAC', name: 'rbac' },
          { type: 'Node', name: 'rbac' }
        ]),
      'authorizers[1].name: Duplicate value: "rbac"'
    ],
    ['a name of its own', () => text([{ type: 'RBAC', name: 'a' }]), 'expected name rbac for authorizer RBAC instead of a'],
    [
      'a webhook of another type',
      () => text([{ type: 'RBAC', name: 'rbac', webhook: {} }]),
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook'
    ],
    [
      'no webhook',
      () => text([{ type: 'Webhook', name: 'w' }]),
      'authorizers[0].webhook: Required value: required when type=Webhook'
    ],
    ['no timeout', () => webhook({ timeout: undefined }), `authorizers[0].timeout: ${required}`],
    [
      'a long timeout',
      () => webhook({ timeout: '30.001s' }),
      'authorizers[0].timeout: Invalid value: "30.001s": must be > 0s and <= 30s'
    ],
    [
      'a negative timeout',
      () => webhook({ timeout: '-1s' }),
      'authorizers[0].timeout: Invalid value: "-1s": must be > 0s and <= 30s'
    ],
    [
      'a negative time',
      () => webhook({ authorizedTTL: '-1m' }),
      'authorizers[0].authorizedTTL: Invalid value: "-1m0s": must be > 0s'
    ],
    [
      'another',
      () => webhook({ unauthorizedTTL: '-1ms' }),
      'authorizers[0].unauthorizedTTL: Invalid value: "-1ms": must be > 0s'
    ],
    ['no version', () => webhook({ subjectAccessReviewVersion: '' }), `authorizers[0].subjectAccessReviewVersion: ${required}`],
    [
      'an unknown version',
      () => webhook({ subjectAccessReviewVersion: 'v2' }),
      'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"'
    ],
    [
      'an unknown version of conditions',
      () => webhook({ matchConditionSubjectAccessReviewVersion: 'v1beta1' }),
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"'
    ],
    [
      'conditions without a version',
      () => webhook({ matchConditionSubjectAccessReviewVersion: '', matchConditions: [{ expression: 'true' }] }),
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified'
    ],
    ['no policy for failures', () => webhook({ failurePolicy: '' }), `authorizers[0].failurePolicy: ${required}`],
    [
      'an unknown policy for failures',
      () => webhook({ failurePolicy: 'Ignore' }),
      'authorizers[0].failurePolicy: Unsupported value: "Ignore": supported values: "NoOpinion", "Deny"'
    ],
    ['no connection', () => webhook({ connectionInfo: {} }), `authorizers[0].connectionInfo.type: ${required}`],
    [
      'an unknown connection',
      () => webhook({ connectionInfo: { type: 'X' } }),
      'authorizers[0].connectionInfo.type: Unsupported value: {"Type":"X","KubeConfigFile":null}: supported values: "InClusterConfig", "KubeConfigFile"'
    ],
    [
      'a file in a cluster',
      () => webhook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/a' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/a": can only be set when type=KubeConfigFile'
    ],
    [
      'no file',
      () => webhook({ connectionInfo: { type: 'KubeConfigFile' } }),
      `authorizers[0].connectionInfo.kubeConfigFile: ${required}`
    ],
    [
      'a relative file',
      () => webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "a": must be an absolute path'
    ],
    [
      'a missing file',
      () => webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/nowhere/x' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/nowhere/x": error loading file: stat /nowhere/x: no such file or directory'
    ],
    [
      'a folder',
      () => webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/": must be a regular file'
    ],
    [
      'too many conditions',
      () => webhook({ matchConditions: Array.from({ length: 65 }, (_, i) => ({ expression: `${i} > 0` })) }),
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items'
    ],
    [
      'an empty condition',
      () => webhook({ matchConditions: [{ expression: ' ' }] }),
      `authorizers[0].matchConditions[0].expression: ${required}`
    ],
    [
      'a condition twice',
      () => webhook({ matchConditions: [{ expression: 'true' }, { expression: 'true' }] }),
      'authorizers[0].matchConditions[1].expression: Duplicate value: "true"'
    ],
    [
      'a condition that is a text',
      () => webhook({ matchConditions: [{ expression: 'request.user' }] }),
      'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string'
    ],
    [
      'an unknown field in a condition',
      () => webhook({ matchConditions: [{ expression: 'request.x' }] }),
      `authorizers[0].matchConditions[0].expression: Invalid value: "request.x": compilation failed: ERROR: <input>:1:8: undefined field 'x'\n | request.x\n | .......^`
    ],
    [
      'an unknown field',
      () => text([{ type: 'RBAC', name: 'rbac', x: 1 }]),
      'failed to load AuthorizationConfiguration from file: strict decoding error: unknown field "authorizers[0].x"'
    ],
    ...(['Admission', 'Authentication', 'Encryption', 'Tracing'] as const).map(
      kind =>
        [
          `another kind: ${kind}`,
          () => text([]).replace('AuthorizationC', `${kind}C`),
          `failed to load AuthorizationConfiguration from file: expected AuthorizationConfiguration, got *apiserver.${kind}Configuration`
        ] as const
    )
  ] as const)
    it(`is refused for ${what}`, () => assert.equal(problem(config()), message))

  it('is refused with all that is wrong', () => {
    const config = text([{ type: 'RBAC', name: 'A' }, { type: 'X' }])
    assert.match(
      problem(config),
      /^\[authorizers\[0\]\.name: Invalid value: "A": authorizer name is invalid: a lowercase.*, authorizers\[1\]\.type: /
    )
  })

  it('must keep the types that it had', () => {
    const config = text([{ type: 'RBAC', name: 'rbac' }])
    assert.equal(problem(config, ['RBAC']), '')
    assert.equal(problem(config, ['RBAC', 'Node', 'ABAC']), 'missing required types: [ABAC Node]')
    assert.equal(problem(config, ['Node']), 'missing required types: [Node]')
  })

  it('may have the most that is allowed', () => {
    const matchConditions = Array.from({ length: 64 }, (_, i) => ({ expression: `${i} > 0` }))
    assert.equal(problem(webhook({ timeout: '30s', matchConditions })), '')
  })

  it('may have times of less than a millisecond, no conditions, and a server in the cluster', () => {
    const short = { timeout: '500us', authorizedTTL: '500us', unauthorizedTTL: '500us' }
    assert.equal(problem(webhook({ ...short, matchConditionSubjectAccessReviewVersion: '' })), '')
    assert.equal(problem(webhook({ connectionInfo: { type: 'InClusterConfig' } })), '')
  })
})

describe('options of authorization', () => {
  const names = (options: Parameters<typeof authorizersFromOptions>[0]) =>
    authorizersFromOptions(options).authorizers.map(({ type, name }) => `${type} ${name}`)
  const refused = (options: Parameters<typeof authorizersFromOptions>[0], message: string) =>
    assert.throws(
      () => authorizersFromOptions(options),
      (error: Error) => error instanceof UserError && error.message === message
    )

  it('are Node and RBAC by default', () => {
    assert.deepEqual(names({}), ['Node node', 'RBAC rbac'])
    assert.deepEqual(names({ authorizationMode: ['AlwaysAllow'] }), ['AlwaysAllow alwaysallow'])
    assert.deepEqual(names({ authorizationMode: ['AlwaysDeny', 'RBAC'] }), ['AlwaysDeny alwaysdeny', 'RBAC rbac'])
  })

  it('make a webhook', () => {
    const given = { authorizationMode: ['Webhook'], authorizationWebhookConfigFile: '/f' } as const
    const [{ name, webhook }] = authorizersFromOptions(given).authorizers as [any]
    assert.equal(name, 'default')
    assert.deepEqual(webhook, {
      authorizedTTL: 300_000,
      cacheAuthorizedRequests: true,
      unauthorizedTTL: 30_000,
      cacheUnauthorizedRequests: true,
      timeout: 30_000,
      subjectAccessReviewVersion: 'v1beta1',
      matchConditionSubjectAccessReviewVersion: '',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/f' },
      matchConditions: []
    })
    const more = { authorizationWebhookCacheAuthorizedTTL: 0, authorizationWebhookCacheUnauthorizedTTL: 5 }
    const [other] = authorizersFromOptions({ ...given, ...more, authorizationWebhookVersion: 'v1' }).authorizers
    const { authorizedTTL, cacheAuthorizedRequests, unauthorizedTTL, subjectAccessReviewVersion } = other!.webhook!
    assert.deepEqual([authorizedTTL, cacheAuthorizedRequests, unauthorizedTTL, subjectAccessReviewVersion], [0, false, 5, 'v1'])
    const turned = { authorizationWebhookCacheAuthorizedTTL: 1, authorizationWebhookCacheUnauthorizedTTL: 0 }
    const last = authorizersFromOptions({ ...given, ...turned }).authorizers[0]!.webhook!
    assert.deepEqual([last.cacheAuthorizedRequests, last.cacheUnauthorizedRequests], [true, false])
  })

  it('need their files, and files need their modes', () => {
    refused({ authorizationMode: ['ABAC'] }, "authorization-mode ABAC's authorization policy file not passed")
    refused({ authorizationMode: ['Webhook'] }, "authorization-mode Webhook's authorization config file not passed")
    refused({ authorizationPolicyFile: '/f' }, 'cannot specify --authorization-policy-file without mode ABAC')
    refused({ authorizationWebhookConfigFile: '/f' }, 'cannot specify --authorization-webhook-config-file without mode Webhook')
    assert.deepEqual(names({ authorizationMode: ['ABAC'], authorizationPolicyFile: '/f' }), ['ABAC abac'])
  })

  it('name known modes, once', () => {
    refused({ authorizationMode: ['X'] }, 'authorization-mode "X" is not a valid mode')
    refused({ authorizationMode: ['RBAC', 'RBAC'] }, 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once')
    refused({ authorizationMode: [] }, 'at least one authorization-mode must be passed')
    refused(
      { authorizationMode: ['ABAC', 'ABAC'] },
      '[authorization-mode ABAC\'s authorization policy file not passed, authorization-mode ["ABAC" "ABAC"] has mode specified more than once]'
    )
  })

  it('are a file, and no others then', () => {
    const path = join(directory, 'config.json')
    writeFileSync(path, text([{ type: 'RBAC', name: 'rbac' }]))
    const found = authorizersFromOptions({ authorizationConfig: path, authorizationPolicyFile: '/f' })
    assert.deepEqual([found.file, found.authorizers.length], [{ path, text: text([{ type: 'RBAC', name: 'rbac' }]) }, 1])
    const both =
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined'
    for (const other of [
      { authorizationMode: ['RBAC'] as const },
      { authorizationWebhookConfigFile: '/f' },
      { authorizationWebhookVersion: 'v1' },
      { authorizationWebhookCacheAuthorizedTTL: 0 },
      { authorizationWebhookCacheUnauthorizedTTL: 0 }
    ])
      refused({ authorizationConfig: path, ...other }, both)
    refused({ authorizationConfig: join(directory, 'none') }, `open ${join(directory, 'none')}: no such file or directory`)
  })
})
