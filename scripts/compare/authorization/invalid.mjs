/** Flags and configurations that must be refused, and the words with which they are. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function invalidConfigurations(directory, { files }) {
  const folder = join(directory, 'invalid')
  mkdirSync(folder, { recursive: true })
  let count = 0
  const write = text => {
    const path = join(folder, `${count++}`)
    writeFileSync(path, text)
    return path
  }
  const good = {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'Deny',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: files.main }
  }
  const document = (authorizers, more = {}) =>
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers, ...more })
  const config = (name, text) => ({ name, flags: [`--authorization-config=${write(text)}`] })
  const webhook = (name, change) => config(name, document([{ type: 'Webhook', name: 'w', webhook: { ...good, ...change } }]))
  const flags = (...list) => ({ name: list.join(' '), flags: list })
  const policies = (name, text) => ({ name, flags: ['--authorization-mode=ABAC', `--authorization-policy-file=${write(text)}`] })
  const condition = expression => webhook(`condition ${expression}`, { matchConditions: [{ expression }] })
  const missing = join(folder, 'missing')
  return [
    flags('--authorization-mode=ABAC'),
    flags('--authorization-mode=Webhook,ABAC'),
    flags('--authorization-mode=RBAC,RBAC,Node'),
    flags('--authorization-mode=Rbac'),
    flags(`--authorization-policy-file=${missing}`, '--authorization-mode=RBAC'),
    flags(`--authorization-webhook-config-file=${missing}`, '--authorization-mode=RBAC'),
    flags(`--authorization-policy-file=${missing}`, '--authorization-mode=ABAC'),
    flags(
      `--authorization-webhook-config-file=${files.main}`,
      '--authorization-mode=Webhook',
      '--authorization-webhook-version=v2'
    ),
    flags(`--authorization-config=${missing}`),
    flags(`--authorization-config=${missing}`, '--authorization-mode=RBAC'),
    flags(`--authorization-config=${missing}`, '--authorization-webhook-version=v1'),
    flags(`--authorization-config=${folder}`),
    policies(
      'a policy of a wrong type',
      '\n{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":7}}'
    ),
    policies('a policy that is no JSON', '# a\n{"user":"a"}\r\n{"user":'),
    policies('a policy that is text', 'hello'),
    policies('a policy of an unknown version', '{"apiVersion":"abac.authorization.kubernetes.io/v9","kind":"Policy"}'),
    policies('a policy of an unknown kind', '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Rule"}'),
    policies('a policy without a kind', '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","spec":{}}'),
    policies('an old policy of a wrong type', '{"user":7}'),
    policies('a long line', `{"user":"${'a'.repeat(70_000)}"}`),
    config('nothing', ''),
    config('no kind', '{"a":1}'),
    config('an unknown field', document([{ type: 'RBAC', name: 'rbac', mode: 1 }])),
    config(
      'a duplicate field',
      '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthorizationConfiguration","authorizers":[],"authorizers":[]}'
    ),
    config('another kind', '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthenticationConfiguration"}'),
    config('an unknown version', '{"apiVersion":"apiserver.config.k8s.io/v2","kind":"AuthorizationConfiguration"}'),
    config('a wrong type', document({ a: 1 })),
    config('a wrong duration', document([{ type: 'Webhook', name: 'w', webhook: { ...good, timeout: 'soon' } }])),
    config('a number as duration', document([{ type: 'Webhook', name: 'w', webhook: { ...good, timeout: 3 } }])),
    config('no authorizers', document([])),
    config(
      'types and names',
      document([
        { name: 'a' },
        { type: 'Foo', name: 'a' },
        { type: 'RBAC', name: 'a' },
        { type: 'RBAC', name: 'b' },
        { type: 'Node', name: 'A_b' },
        { type: 'AlwaysDeny' },
        { type: 'AlwaysAllow', name: 'a' }
      ])
    ),
    config(
      'names of types',
      document([
        { type: 'RBAC', name: 'a' },
        { type: 'Node', name: 'b' }
      ])
    ),
    config(
      'a webhook of RBAC',
      document([
        { type: 'RBAC', name: 'rbac', webhook: good },
        { type: 'Webhook', name: 'w' }
      ])
    ),
    config('nothing in a webhook', document([{ type: 'Webhook', name: 'w', webhook: {} }])),
    config('no ABAC file', document([{ type: 'ABAC', name: 'abac' }])),
    webhook('times', { timeout: '-1s', authorizedTTL: '-5m', unauthorizedTTL: '-1.5s' }),
    webhook('a long timeout', { timeout: '1h0m31.5s' }),
    webhook('versions', {
      subjectAccessReviewVersion: 'v2',
      matchConditionSubjectAccessReviewVersion: 'v1beta1',
      failurePolicy: 'Allow'
    }),
    webhook('no version of conditions', {
      matchConditionSubjectAccessReviewVersion: '',
      matchConditions: [{ expression: 'true' }]
    }),
    webhook('a connection of an unknown type', { connectionInfo: { type: 'Foo' } }),
    webhook('in a cluster with a file', { connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/a' } }),
    webhook('no file', { connectionInfo: { type: 'KubeConfigFile' } }),
    webhook('a relative file', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a' } }),
    webhook('a missing file', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: missing } }),
    webhook('a folder', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: folder } }),
    webhook('too many conditions', { matchConditions: Array.from({ length: 65 }, (_, i) => ({ expression: `${i} > 0` })) }),
    webhook('conditions twice and empty', {
      matchConditions: [{ expression: 'true' }, { expression: 'true' }, { expression: ' ' }, {}]
    }),
    condition('request.users == 1'),
    condition('request.user'),
    condition('1 +'),
    condition('dyn(true)'),
    condition("authorizer.path('/').check('get').allowed()"),
    condition("request.resourceAttributes.fieldSelector.requirements[0].value == ''"),
    condition("request.user.matches('[')")
  ]
}
