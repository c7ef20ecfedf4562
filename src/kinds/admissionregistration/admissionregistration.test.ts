import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { decode } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateClientConfig } from '../webhook-client-config.js'
import { mutatingAdmissionPolicy } from './mutating-admission-policy.js'
import { mutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding.js'
import { validateRule } from './rules.js'
import { validatingAdmissionPolicy } from './validating-admission-policy.js'
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding.js'
import { validatingWebhookConfiguration } from './validating-webhook-configuration.js'

const collect = (check: (errors: FieldErrors) => void): string[] => {
  const errors = new FieldErrors()
  check(errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}
const context = {} as any
const rule = { operations: ['CREATE'], apiGroups: ['a'], apiVersions: ['v1'], resources: ['r'] }

describe('admissionregistration.k8s.io', () => {
  it('completes a webhook', () => {
    const config: any = {
      metadata: {},
      webhooks: [{ name: 'a.b.c', clientConfig: { service: { namespace: 'n', name: 's' } }, rules: [{ ...rule }] }]
    }
    validatingWebhookConfiguration.strategy!.default!(config, context)
    const [{ clientConfig, rules, ...rest }] = config.webhooks
    assert.equal(clientConfig.service.port, 443)
    assert.equal(rules[0].scope, '*')
    assert.deepEqual(rest, {
      name: 'a.b.c',
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10
    })
  })

  for (const [url, ...expected] of [
    ['https://h:9/x'],
    ['http://h/', `Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`],
    ['https:///x', 'Invalid value: "": host must be specified; desired format: https://host[/path]'],
    [
      'https://u:p@h/?a=b',
      'Invalid value: "u:p": user information is not permitted in the URL',
      'Invalid value: "a=b": query parameters are not permitted in the URL'
    ]
  ] as const) {
    it(`validates the URL ${url}`, () => {
      const found = collect(errors => validateClientConfig({ url }, Path.of('c'), errors))
      assert.deepEqual(
        found,
        expected.map(e => `c.url: ${e}`)
      )
    })
  }

  it("looks at the segments of a service's path after its first byte", () => {
    const found = (path: string) =>
      collect(errors => validateClientConfig({ service: { namespace: 'n', name: 's', path } }, Path.of('c'), errors)).slice(1)
    assert.deepEqual(found('a'), ['c.service.path: Invalid value: "a": segment[0] may not be empty'])
    assert.match(found('é')[0]!, /segment\[0\]: a lowercase RFC 1123 subdomain/)
  })

  for (const [resources, ...expected] of [
    [['pods', 'pods/status']],
    [
      ['*', 'pods'],
      `r.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`
    ],
    [['pods/*', 'pods/x'], `r.resources[1]: Invalid value: "pods/x": if 'pods/*' is present, must not specify pods/x`],
    [['*/*', 'a'], `r.resources: Invalid value: ["*/*","a"]: if '*/*' is present, must not specify other resources`]
  ] as const) {
    it(`validates the resources ${resources.join(' ')}`, () => {
      const found = collect(errors => validateRule({ ...rule, resources: [...resources] }, Path.of('r'), errors))
      assert.deepEqual(found, expected)
    })
  }

  it('refuses duplicate actions of a binding', () => {
    const binding: any = { metadata: {}, spec: { policyName: 'p', validationActions: ['Deny', 'Warn'] } }
    assert.match(
      collect(errors => validatingAdmissionPolicyBinding.strategy!.validate!(binding, errors, context))[0]!,
      /must not contain both Deny and Warn/
    )
  })

  it('requires the field that belongs to the type of a mutation', () => {
    const policy: any = {
      metadata: {},
      spec: { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', mutations: [{ patchType: 'JSONPatch' }] }
    }
    mutatingAdmissionPolicy.strategy!.default!(policy, context)
    assert.deepEqual(
      collect(errors => mutatingAdmissionPolicy.strategy!.validate!(policy, errors, context)),
      ['spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch']
    )
  })

  it('has expressions that the release before can read, unless they are stored already', () => {
    const expression = '[1].includes(1)'
    const validating: any = {
      metadata: { name: 'p' },
      spec: {
        failurePolicy: 'Fail',
        matchConditions: [{ name: 'c', expression }],
        variables: [{ name: 'v', expression }],
        validations: [{ expression, messageExpression: "[1].includes(1) ? 'a' : 'b'" }],
        auditAnnotations: [{ key: 'k', valueExpression: "[1].includes(1) ? 'c' : 'd'" }]
      }
    }
    const jsonPatch = { expression: '[1].includes(1) ? [] : [JSONPatch{op: "test", path: "/a", value: 1}]' }
    const applyConfiguration = { expression: '[1].includes(1) ? Object{} : Object{}' }
    const mutating: any = {
      metadata: {},
      spec: {
        mutations: [
          { patchType: 'JSONPatch', jsonPatch },
          { patchType: 'ApplyConfiguration', applyConfiguration }
        ]
      }
    }
    const webhooks: any = { webhooks: [{ name: 'a.b.c', clientConfig: {}, matchConditions: [{ name: 'c', expression }] }] }
    const newer = new FeatureGates({}, { emulated: 37, minCompatibility: 37 })
    for (const [kind, object, count] of [
      [validatingAdmissionPolicy, validating, 5],
      [mutatingAdmissionPolicy, mutating, 2],
      [validatingWebhookConfiguration, webhooks, 1]
    ] as const) {
      const refused = (old?: any, gates?: FeatureGates) => {
        const errors = new FieldErrors(gates)
        kind.strategy!.validate!(object, errors, context, old)
        return errors.list.filter(({ message }) => message.includes("undeclared reference to 'includes'")).length
      }
      assert.equal(refused(), count)
      assert.equal(refused(structuredClone(object)), 0)
      assert.equal(refused(undefined, newer), 0)
    }
  })

  describe('the expressions of a policy', () => {
    const problems = (spec: any) =>
      collect(errors =>
        validatingAdmissionPolicy.strategy!.validate!(
          {
            metadata: { name: 'p' },
            spec: { failurePolicy: 'Fail', matchConstraints: { matchPolicy: 'Exact', resourceRules: [{ ...rule }] }, ...spec }
          } as any,
          errors,
          context
        )
      ).filter(text => !text.startsWith('spec.matchConstraints'))
    const validation = (expression: string, more = {}) => ({ validations: [{ expression, ...more }] })

    for (const [what, spec, ...expected] of [
      ['see the request', validation("request.userInfo.groups.exists(g, g == 'a') && request.kind.group == ''")],
      ['see the namespace', validation("namespaceObject.metadata.labels['a'] == 'b'")],
      ['ask the authorizer', validation("authorizer.requestResource.check('get').allowed()")],
      [
        'see parameters only if the policy has some',
        validation('params.a'),
        [/^spec.validations\[0\].expression: .*undeclared reference to 'params'/]
      ],
      ['see them then', { ...validation('params.a == 1'), paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }],
      [
        'see variables with their types, those before them also in variables',
        {
          ...validation('variables.b > 1'),
          variables: [
            { name: 'a', expression: '1' },
            { name: 'b', expression: 'variables.a + 1' }
          ]
        }
      ],
      [
        'see no variable that comes later',
        {
          ...validation('true'),
          variables: [
            { name: 'b', expression: 'variables.a' },
            { name: 'a', expression: '1' }
          ]
        },
        [/^spec.variables\[0\].expression: .*undefined field 'a'/]
      ],
      ['must say yes or no', validation('1'), [/must evaluate to bool but got int/]],
      [
        'must make a text of a message, and may not ask the authorizer for it',
        validation('true', { messageExpression: "authorizer.path('/x').check('get').reason()" }),
        [/^spec.validations\[0\].messageExpression: .*undeclared reference to 'authorizer'/]
      ],
      [
        'may leave an annotation out',
        {
          auditAnnotations: [
            { key: 'a', valueExpression: 'null' },
            { key: 'b', valueExpression: 'true' }
          ]
        },
        [/^spec.auditAnnotations\[1\].valueExpression: .*must evaluate to one of \[string null_type\] but got bool/]
      ],
      [
        'may have 20 annotations',
        { auditAnnotations: Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, valueExpression: 'null' })) },
        [
          /^spec.auditAnnotations: Invalid value: \[{"Key":"k0","ValueExpression":"null"},.*must not have more than 20 auditAnnotations/
        ]
      ]
    ] as [string, any, RegExp[]?][])
      it(what, () => {
        const found = problems(spec)
        const patterns = expected[0] ?? []
        assert.equal(found.length, patterns.length, found.join('\n'))
        for (const [i, pattern] of patterns.entries()) assert.match(found[i]!, pattern)
      })
  })

  describe('the expressions of a mutation', () => {
    const problems = (mutation: any) =>
      collect(errors =>
        mutatingAdmissionPolicy.strategy!.validate!(
          {
            metadata: { name: 'p' },
            spec: {
              failurePolicy: 'Fail',
              matchConstraints: { matchPolicy: 'Exact', resourceRules: [{ ...rule }] },
              reinvocationPolicy: 'Never',
              mutations: [mutation]
            }
          } as any,
          errors,
          context
        )
      ).filter(text => !text.startsWith('spec.matchConstraints'))
    const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
    const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

    for (const [what, mutation, expected] of [
      ['make an object of any fields', apply("Object{spec: Object.spec{replicas: 3, a: [Object.spec.a{b: 'c'}]}}")],
      ['make nothing else', apply("{'a': 1}"), /must evaluate to Object but got map\(string, int\)/],
      ['make patches', patch("[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: object.x}]")],
      [
        'make a list of them',
        patch("JSONPatch{op: 'remove', path: '/a'}"),
        /must evaluate to list\(JSONPatch\) but got JSONPatch/
      ],
      [
        'give a patch its own fields',
        patch("[JSONPatch{op: 'add', way: '/a'}]"),
        /type of field 'way' is '' but provided type is 'string'/
      ]
    ] as [string, any, RegExp?][])
      it(what, () => {
        const found = problems(mutation)
        assert.equal(found.length, expected ? 1 : 0, found.join('\n'))
        if (expected) assert.match(found[0]!, expected)
      })
  })
})

describe('an older version', () => {
  const versionOf = (kind: typeof mutatingAdmissionPolicyBinding, name: string) => kind.versions.find(v => v.name === name)!

  it('of a mutating binding refuses where no parameters are found, v1beta1 leaves that open', () => {
    const bound = (version: string) => {
      const object = { spec: { paramRef: { name: 'a' } } }
      return (versionOf(mutatingAdmissionPolicyBinding, version).toStorage?.(object) ?? object).spec.paramRef
    }
    assert.deepEqual(bound('v1alpha1'), { name: 'a', parameterNotFoundAction: 'Deny' })
    assert.deepEqual(bound('v1beta1'), { name: 'a' })
  })

  it('of a mutating policy shares the types of v1', () => {
    for (const version of ['v1alpha1', 'v1beta1']) {
      const type = loadSchema().type(`admissionregistration.${version}.MutatingAdmissionPolicy`)
      const body = { spec: { reinvocationPolicy: 1 } }
      assert.throws(() => decode(type, body), /of type v1.ReinvocationPolicyType/)
    }
  })
})
