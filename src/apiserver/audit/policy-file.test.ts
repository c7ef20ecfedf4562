import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadPolicy, readPolicy } from './policy-file.js'

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n'
const logged: string[] = []
const log = { info() {}, warn() {}, error: (text: string) => void logged.push(text) }

describe('the file of the audit policy', () => {
  it('is read', () => {
    const policy = readPolicy(`${head}omitStages: [RequestReceived]\nrules:\n- level: Metadata\n  users: [a]`, log)
    assert.deepEqual(policy.omitStages, ['RequestReceived'])
    assert.deepEqual(policy.rules, [{ level: 'Metadata', users: ['a'] }])
  })

  it('may have unknown fields, which are logged', () => {
    logged.length = 0
    assert.equal(readPolicy(`${head}foo: 1\nrules: [{level: None, bar: 2}]`, log).rules!.length, 1)
    assert.deepEqual(logged, [
      'Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "foo", unknown field "rules[0].bar"'
    ])
  })

  // as kube-apiserver 1.36.2 words them
  for (const [text, message] of [
    ['rules: []', 'loaded illegal policy with 0 rules'],
    ['rules: [{}]', 'rules[0].level: Required value'],
    [
      'rules: [{level: Meta}]',
      'rules[0].level: Unsupported value: "Meta": supported values: "None", "Metadata", "Request", "RequestResponse"'
    ],
    [
      'omitStages: [x]\nrules: [{level: None}]',
      'omitStages[0]: Invalid value: "x": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic'
    ],
    [
      'rules: [{level: None, nonResourceURLs: [healthz]}]',
      'rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a \'/\' character'
    ],
    [
      'rules: [{level: None, nonResourceURLs: ["/a*b"]}]',
      'rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule'
    ],
    [
      'rules: [{level: None, nonResourceURLs: ["/a"], namespaces: [x]}]',
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs'
    ],
    [
      'rules: [{level: None, resources: [{resourceNames: [a]}]}]',
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource'
    ],
    ['rules: [{}, {}]', '[rules[0].level: Required value, rules[1].level: Required value]'],
    ['rules: 7', 'failed decoding: json: cannot unmarshal number into Go struct field Policy.rules of type []v1.PolicyRule']
  ] as const)
    it(`is refused: ${message}`, () => assert.throws(() => readPolicy(head + text, log), { message }))

  it('must name its kind and version', () => {
    const message = 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'
    for (const text of ['rules: [{level: None}]', 'kind: Policy\nrules: [{level: None}]'])
      assert.throws(() => readPolicy(text, log), { message })
  })

  it('must be there', () => {
    assert.throws(() => loadPolicy('/nowhere/policy.yaml', log), {
      message:
        'loading audit policy file: failed to read file path "/nowhere/policy.yaml": open /nowhere/policy.yaml: no such file or directory'
    })
  })
})
