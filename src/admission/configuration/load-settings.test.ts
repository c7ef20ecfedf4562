import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { systemClock } from '../../util/clock.js'
import { readImagePolicy } from './image-policy-configuration.js'
import { loadAdmissionSettings } from './load-settings.js'

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-admission-'))
  writeFileSync(join(directory, 'empty'), '')
  writeFileSync(join(directory, 'half'), '{"imagePolicy": {')
})
after(() => rmSync(directory, { recursive: true }))

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n'
const load = (text: string, ...enableAdmissionPlugins: string[]) => {
  const admissionControlConfigFile = join(directory, 'admission.yaml')
  writeFileSync(admissionControlConfigFile, text)
  return loadAdmissionSettings({ admissionControlConfigFile, enableAdmissionPlugins }, systemClock, new FeatureGates())
}
const of = (name: string, configuration: unknown) =>
  `${head}plugins:\n- name: ${name}\n  configuration: ${JSON.stringify(configuration)}\n`
const podSecurity = (more: object) =>
  of('PodSecurity', { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration', ...more })
const rates = (...limits: object[]) =>
  of('EventRateLimit', { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits })
const tolerations = (more: object) =>
  of('PodTolerationRestriction', {
    apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    ...more
  })
const quota = (more: object, apiVersion = 'apiserver.config.k8s.io/v1', kind = 'ResourceQuotaConfiguration') =>
  of('ResourceQuota', { apiVersion, kind, ...more })
const webhooks = (more: object) =>
  of('MutatingAdmissionWebhook', { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', ...more })
const images = (imagePolicy: object) => of('ImagePolicyWebhook', { imagePolicy })

describe('the configuration of admission plugins', () => {
  it('stands in the file, or in another beside it', async () => {
    writeFileSync(join(directory, 'selectors.yaml'), 'podNodeSelectorPluginConfig:\n  team: a=b\n')
    const text = `${podSecurity({ defaults: { enforce: 'baseline' } })}- name: PodNodeSelector\n  path: selectors.yaml\n`
    const { podSecurity: standards, nodeSelectors } = await load(text, 'PodNodeSelector')
    assert.deepEqual(standards!.defaults.enforce, { level: 'baseline', minor: 'latest' })
    assert.deepEqual({ ...nodeSelectors }, { team: 'a=b' })
  })

  it('is read only for plugins that run', async () => {
    assert.equal((await load(rates())).eventRateLimits, undefined)
    await load(of('Nothing', { a: 1 }))
    // an entry may say nothing
    const { podSecurity: standards } = await load(`${head}plugins: [{name: PodSecurity}]`)
    assert.equal(standards!.defaults.enforce.level, 'privileged')
  })

  it('may be a whole file of the two plugins that were configured so', async () => {
    const { nodeSelectors } = await load('podNodeSelectorPluginConfig: {team: a=b}', 'PodNodeSelector')
    assert.deepEqual({ ...nodeSelectors }, { team: 'a=b' })
  })

  it('is that of the plugin, and fills in what a limit leaves out', async () => {
    const limits = [
      { type: 'Namespace', qps: 1, burst: 2 },
      { type: 'User', qps: 3, burst: 4, cacheSize: 5 }
    ]
    const { eventRateLimits } = await load(rates(...limits), 'EventRateLimit')
    assert.deepEqual(
      eventRateLimits!.map(({ type, qps, burst, cacheSize }) => [type, qps, burst, cacheSize]),
      [
        ['Namespace', 1, 2, 4096],
        ['User', 3, 4, 5]
      ]
    )
    const { mutatingCredentials, validatingCredentials } = await load(webhooks({}))
    assert.deepEqual([mutatingCredentials, validatingCredentials], [undefined, undefined])
    const kubeConfigFile = join(directory, 'webhooks.yaml')
    const users = [{ name: '*', user: { token: 't' } }]
    writeFileSync(kubeConfigFile, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }))
    assert.ok((await load(webhooks({ kubeConfigFile }))).mutatingCredentials)
    const { tolerations: given } = await load(tolerations({ whitelist: [{ operator: 'Exists' }] }), 'PodTolerationRestriction')
    assert.deepEqual([given!.defaults, given!.whitelist.length], [[], 1])
    const { tolerations: none } = await load(head, 'PodTolerationRestriction')
    assert.deepEqual(none, { defaults: [], whitelist: [] })
  })

  it('of node selectors counts as none when it cannot be read', async () => {
    const { nodeSelectors } = await load(of('PodNodeSelector', [1]), 'PodNodeSelector')
    assert.deepEqual(nodeSelectors, {})
    assert.deepEqual((await load(head, 'PodNodeSelector')).nodeSelectors, {})
  })

  it('of image policies has a time for each answer', () => {
    const times = (imagePolicy: object) => {
      const { allowTTL, denyTTL, retryBackoff, defaultAllow } = readImagePolicy(JSON.stringify({ imagePolicy }))
      return [allowTTL, denyTTL, retryBackoff, defaultAllow]
    }
    assert.deepEqual(times({}), [300_000, 30_000, 500, false])
    assert.deepEqual(times({ allowTTL: 1, denyTTL: 1, retryBackoff: 1, defaultAllow: true }), [1000, 1000, 1, true])
    assert.deepEqual(times({ allowTTL: 1800, denyTTL: 1800, retryBackoff: 300_000 }), [1_800_000, 1_800_000, 300_000, false])
    assert.deepEqual(times({ allowTTL: -1, denyTTL: -1, retryBackoff: -1 }), [0, 0, 0, false])
    assert.equal(readImagePolicy('imagePolicy: {allowTTL: 7}').allowTTL, 7000)
    // what follows the first document is not read
    for (const text of [
      '{"imagePolicy": {"allowTTL": 7}} more',
      '{"imagePolicy": {"allowTTL": 7}}{"imagePolicy": {"allowTTL": 8}}',
      '{"imagePolicy": {"allowTTL": 7}}]',
      ' {"a": ["}\\"}", {}], "imagePolicy": {"allowTTL": 7}}}',
      '{"imagePolicy": {"allowTTL": 7}}\n---\n[',
      'imagePolicy: {allowTTL: 7}\n---\n['
    ])
      assert.equal(readImagePolicy(text).allowTTL, 7000, text)
    // this is YAML, though it begins as JSON
    assert.equal(readImagePolicy('{imagePolicy: {allowTTL: 7}}').allowTTL, 7000)
    for (const [text, message] of [
      ['{"imagePolicy": 1}', 'json: cannot unmarshal number into Go struct field AdmissionConfig.imagePolicy of type'],
      ['imagePolicy: 1', 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go struct field'],
      ['[1]', 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type'],
      ['{"imagePolicy": {', 'unexpected EOF'],
      ['{"imagePolicy": "}', 'unexpected EOF'],
      ['{"imagePolicy": 1} {', 'json: cannot unmarshal number into Go struct field AdmissionConfig.imagePolicy of type'],
      ['{] {}', "invalid character ']' looking for beginning of object key string"],
      ['{"a": x', "invalid character 'x' looking for beginning of value"],
      ['a: [', 'error converting YAML to JSON: yaml: ']
    ] as const)
      assert.throws(
        () => readImagePolicy(text),
        ({ name, message: given }: Error) => name === 'Error' && given.startsWith(message),
        text
      )
  })

  it('has older versions', async () => {
    await load('apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\n')
    const limitedResources = [{ resource: 'pods', matchContains: ['cpu'] }]
    const { limitedResources: limited } = await load(
      quota({ limitedResources }, 'resourcequota.admission.k8s.io/v1beta1', 'Configuration')
    )
    assert.deepEqual(limited, [{ group: '', resource: 'pods', matchContains: ['cpu'], matchScopes: [] }])
  })

  // as kube-apiserver 1.36.2 words them
  const file = 'failed to read plugin config'
  const init = (name: string) => `couldn't init admission plugin "${name}"`
  for (const [what, text, plugin, message] of [
    ['an empty file', '', '', `${file}: Object 'Kind' is missing in ''`],
    [
      'a version that does not exist',
      'kind: AdmissionConfiguration\napiVersion: apiserver.config.k8s.io/v1beta1',
      '',
      `${file}: no kind "AdmissionConfiguration" is registered for version "apiserver.config.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"`
    ],
    [
      'another kind',
      'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1',
      '',
      `${file}: unexpected type: *apiserver.EncryptionConfiguration`
    ],
    [
      'a kind without version',
      'kind: EncryptionConfiguration',
      '',
      `${file}: Object 'apiVersion' is missing in 'kind: EncryptionConfiguration'`
    ],
    [
      'a kind that is a number',
      'kind: 1\napiVersion: apiserver.config.k8s.io/v1',
      '',
      `${file}: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string`
    ],
    [
      'the field of a plugin in an AdmissionConfiguration',
      `${head}imagePolicy: {}\nfoo: 1`,
      'PodNodeSelector',
      `${file}: strict decoding error: unknown field "foo", unknown field "imagePolicy"`
    ],
    [
      'a whole file of a plugin, whatever kind it says',
      'kind: Other\napiVersion: apiserver.config.k8s.io/v1\nimagePolicy: {"allowTTL":1801}',
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: valid value is between 1s and 30m0s, got 30m1s`
    ],
    [
      'no queries per second',
      rates({ type: 'Server', qps: 0, burst: 1, cacheSize: -1 }),
      'EventRateLimit',
      `${init('EventRateLimit')}: limits[0].qps: Invalid value: 0: must be positive`
    ],
    [
      'no burst, and not for an unknown field',
      rates({ type: 'User', foo: 1, qps: 1, burst: 0, cacheSize: 1 }),
      'EventRateLimit',
      `${init('EventRateLimit')}: limits[0].burst: Invalid value: 0: must be positive`
    ],
    ...(
      [
        [{ allowTTL: -2 }, 'between 1s and 30m0s, got -2s'],
        [{ denyTTL: 1801 }, 'between 1s and 30m0s, got 30m1s'],
        [{ retryBackoff: 300_001 }, 'between 1ns and 5m0s, got 5m0.001s'],
        [{ retryBackoff: -2, foo: 1 }, 'between 1ns and 5m0s, got -2ms']
      ] as const
    ).map(
      ([policy, why]) =>
        [
          `an image policy of ${JSON.stringify(policy)}`,
          images(policy),
          'ImagePolicyWebhook',
          `${init('ImagePolicyWebhook')}: valid value is ${why}`
        ] as const
    ),
    [
      'an image policy without kubeconfig',
      images({ allowTTL: -1 }),
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable`
    ],
    [
      'a time of an image policy that is a text',
      images({ allowTTL: 'x' }),
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: json: cannot unmarshal string into Go struct field imagePolicyWebhookConfig.imagePolicy.allowTTL of type time.Duration`
    ],
    ...(
      [
        ['ImagePolicyWebhook', 'EOF'],
        ['EventRateLimit', "Object 'Kind' is missing in ''"]
      ] as const
    ).map(
      ([plugin, why]) =>
        [
          `an empty file of ${plugin}`,
          `${head}plugins: [{name: ${plugin}, path: empty}]`,
          plugin,
          `${init(plugin)}: ${why}`
        ] as const
    ),
    [
      'a bad toleration, and not for an unknown field',
      tolerations({ foo: 1, default: [{ operator: 'Equal' }] }),
      'PodTolerationRestriction',
      `${init('PodTolerationRestriction')}: invalid config: [podtolerationrestriction.default[0].operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys"]`
    ],
    [
      'manifests of webhooks',
      webhooks({ staticManifestsDir: '/x' }),
      '',
      `${init('MutatingAdmissionWebhook')}: staticManifestsDir: Invalid value: "/x": unable to read: stat /x: no such file or directory`
    ],
    ['an unknown field', `${head}foo: 1`, '', `${file}: strict decoding error: unknown field "foo"`],
    ...(
      [
        ['PodSecurity', podSecurity({ foo: 1 })],
        ['ResourceQuota', quota({ foo: 1 })],
        ['MutatingAdmissionWebhook', webhooks({ foo: 1 })]
      ] as const
    ).map(
      ([name, text]) =>
        [`an unknown field of ${name}`, text, '', `${init(name)}: strict decoding error: unknown field "foo"`] as const
    ),
    ['a configuration without kind', of('PodSecurity', {}), '', `${init('PodSecurity')}: Object 'Kind' is missing in '{}'`],
    [
      'an unknown level',
      podSecurity({ defaults: { audit: 'x', 'warn-version': 'q' } }),
      '',
      'failed to initialize admission plugin "PodSecurity": PodSecurity configuration error: [audit: must be one of privileged, baseline, restricted, warn-version: must be "latest" or "v1.x"]'
    ],
    [
      'an exemption twice',
      podSecurity({ exemptions: { usernames: ['', 'b', 'b'] } }),
      '',
      'failed to initialize admission plugin "PodSecurity": PodSecurity invalid: [exemptions.usernames[0]: Invalid value: "": username must not be empty, exemptions.usernames[2]: Duplicate value: "b"]'
    ],
    ['no limits', rates(), 'EventRateLimit', `${init('EventRateLimit')}: limits: Invalid value: null: must not be empty`],
    [
      'no configuration of limits',
      head,
      'EventRateLimit',
      `${init('EventRateLimit')}: limits: Invalid value: null: must not be empty`
    ],
    [
      'a limit without burst',
      rates({ type: 'User', qps: 1 }),
      'EventRateLimit',
      `${init('EventRateLimit')}: limits[0].burst: Invalid value: 0: must be positive`
    ],
    [
      'a file that ends too early',
      `${head}plugins: [{name: ImagePolicyWebhook, path: half}]`,
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: unexpected EOF`
    ],
    [
      'bad limits',
      rates({ type: 'Foo', burst: -1, cacheSize: -1 }),
      'EventRateLimit',
      `${init('EventRateLimit')}: [limits[0].type: Unsupported value: "Foo": supported values: "Server", "Namespace", "User", "SourceAndObject", limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -1: must not be negative]`
    ],
    [
      'a limited resource without name',
      quota({ limitedResources: [{}] }),
      '',
      `${init('ResourceQuota')}: limitedResources[0].resource: Required value`
    ],
    [
      'bad tolerations',
      tolerations({ default: [{ operator: 'Equal' }], whitelist: [{ key: 'k', tolerationSeconds: 1 }] }),
      'PodTolerationRestriction',
      `${init('PodTolerationRestriction')}: invalid config: [podtolerationrestriction.default[0].operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys" podtolerationrestriction.whitelist[0].effect: Invalid value: "": effect must be 'NoExecute' when \`tolerationSeconds\` is set]`
    ],
    [
      'a relative kubeconfig of webhooks',
      webhooks({ kubeConfigFile: 'rel' }),
      '',
      `${init('MutatingAdmissionWebhook')}: kubeConfigFile: Invalid value: "rel": must be an absolute file path`
    ],
    ['no image policy', head, 'ImagePolicyWebhook', `${init('ImagePolicyWebhook')}: no config specified`],
    [
      'an image policy that keeps answers too long',
      images({ allowTTL: 1801 }),
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: valid value is between 1s and 30m0s, got 30m1s`
    ],
    [
      'a missing kubeconfig',
      images({ kubeConfigFile: '/nope' }),
      'ImagePolicyWebhook',
      `${init('ImagePolicyWebhook')}: stat /nope: no such file or directory`
    ]
  ] as const)
    it(`is refused for ${what}`, async () => {
      const plugins = plugin === '' ? [] : [plugin]
      await assert.rejects(load(text, ...plugins), { name: 'UserError', message: `failed to apply admission: ${message}` })
    })
})
