/** Configurations of encryption that both servers must refuse, with the same words. */
const head = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n'
const key32 = Buffer.alloc(32, 'a').toString('base64')
const good = `providers: [{aescbc: {keys: [{name: a, secret: ${key32}}]}}]`
const kms = (fields, more = '') => `resources: [{resources: [secrets], providers: [{kms: ${fields}}${more}]}]`

export function invalidConfigurations(directory) {
  const socket = `unix://${directory}/none.sock`
  const of = (name, text, flags) => ({ name, text: head + text, flags })
  const resources = (name, list) => of(name, `resources: [{resources: ${list}, ${good}}]`)
  const provider = (name, given) => of(name, `resources: [{resources: [secrets], providers: [${given}]}]`)
  return [
    { name: 'empty', text: '' },
    { name: 'another kind', text: 'kind: AuthorizationConfiguration\napiVersion: apiserver.config.k8s.io/v1\nauthorizers: []' },
    { name: 'an unknown version', text: 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1beta1' },
    { name: 'the former kind without resources', text: 'kind: EncryptionConfig\napiVersion: v1' },
    of('no resources', ''),
    of('an unknown field', `resources: []\nfoo: 1`),
    of('a wrong type', `resources: [{resources: [secrets], providers: [{aescbc: {keys: [{name: a, secret: 5}]}}]}]`),
    of('empty lists', 'resources: [{resources: [], providers: []}]'),
    ...[
      '[secrets, secrets]',
      '["*.", secrets]',
      '["*.*", secrets]',
      '["*.*", "*.*"]',
      '["*.apps", "*.apps"]',
      '["*.apps", deployments.apps, "*.*"]'
    ].map(list => resources(`resources ${list}`, list)),
    resources(
      'names',
      '[Secrets, "*", apiserveripinfo, events.events.k8s.io, "*.events.k8s.io", ingresses.extensions, "pods.*"]'
    ),
    of('masked by a group', `resources: [{resources: ["*.apps"], ${good}}, {resources: [deployments.apps], ${good}}]`),
    of('masked by the core group', `resources: [{resources: ["*."], ${good}}, {resources: [secrets], ${good}}]`),
    of('masked by all', `resources: [{resources: ["*.*"], ${good}}, {resources: ["*."], ${good}}]`),
    provider('no provider', '{}'),
    provider('two providers', '{identity: {}, kms: {name: a, endpoint: "unix:///x"}}'),
    provider('no keys', '{aesgcm: {keys: []}}'),
    provider('an empty key', '{aesgcm: {keys: [{}]}}'),
    provider('a short key', '{aesgcm: {keys: [{name: a, secret: YWJj}]}}, {secretbox: {keys: [{name: a, secret: YWJj}]}}'),
    provider('no Base64', '{aescbc: {keys: [{name: a, secret: "***"}, {name: b, secret: YWI}]}}'),
    provider('a short secretbox key', '{secretbox: {keys: [{name: a, secret: YWFhYWFhYWFhYWFhYWFhYQ==}]}}'),
    of('kms without anything', kms('{}')),
    of('kms v2 with a cache', kms(`{apiVersion: v2, name: a, endpoint: "${socket}", cachesize: 5}`)),
    of('kms v2 with a colon', kms(`{apiVersion: v2, name: "a:b", endpoint: "${socket}", timeout: 0s}`)),
    of(
      'kms of two names',
      kms(`{apiVersion: v2, name: a, endpoint: "${socket}"}`, `, {kms: {apiVersion: v2, name: a, endpoint: "${socket}"}}`)
    ),
    of('kms v3', kms(`{apiVersion: v3, name: a, endpoint: "${socket}"}`)),
    of('kms over TCP', kms('{apiVersion: v2, name: a, endpoint: "http://127.0.0.1:1"}')),
    of('kms without scheme', kms('{apiVersion: v2, name: a, endpoint: "/x y%"}')),
    of('kms v1', kms(`{name: a, endpoint: "${socket}"}`)),
    of('kms v1 without cache', kms(`{name: a, endpoint: "${socket}", cachesize: 0}`))
  ]
}
