import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { UserError } from '../../util/user-error.js'
import type { AuthorizationOptions } from './config/flags.js'
import { loadAuthorization, loadKubeconfigs } from './loaded.js'

let directory: string
const at = (name: string) => join(directory, name)

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-authorization-'))
  const versioned = {
    apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
    kind: 'Policy',
    spec: { user: 'ann', resource: '*' }
  }
  await writeFile(at('policy'), JSON.stringify(versioned))
  await writeFile(at('old-policy'), JSON.stringify({ user: 'ann', resource: 'pods' }))
  const kubeconfig = {
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x'
  }
  await writeFile(at('kubeconfig'), JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...kubeconfig }))
})
after(() => rm(directory, { recursive: true }))

async function load(options: AuthorizationOptions) {
  const lines: string[] = []
  const log = {
    error: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line)
  }
  return { ...(await loadAuthorization(options, log)), lines }
}

test('the mode ABAC reads its policies, and other modes read none', async () => {
  assert.equal((await load({})).policies.length, 0)
  const { policies, lines } = await load({ authorizationMode: ['ABAC'], authorizationPolicyFile: at('policy') })
  assert.deepEqual([policies.length, lines], [1, []])
  const old = await load({ authorizationMode: ['ABAC', 'RBAC'], authorizationPolicyFile: at('old-policy') })
  assert.equal(old.policies.length, 1)
  assert.match(old.lines.join(), /has policies in the old form, without a version$/)
})

test('a file that is missing is an error of the user', async () => {
  await assert.rejects(load({ authorizationMode: ['ABAC'], authorizationPolicyFile: at('gone') }), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.equal(error.message, `invalid authorization config: open ${at('gone')}: no such file or directory`)
    return true
  })
})

test('webhooks read their kubeconfig, each file once', async () => {
  const { kubeconfigs } = await load({ authorizationMode: ['Webhook'], authorizationWebhookConfigFile: at('kubeconfig') })
  assert.deepEqual([...kubeconfigs.keys()], [at('kubeconfig')])
  const webhook = (kubeConfigFile: string | undefined, subjectAccessReviewVersion = 'v1'): any => ({
    type: 'Webhook',
    name: 'w',
    webhook: { subjectAccessReviewVersion, connectionInfo: { type: 'KubeConfigFile', kubeConfigFile } }
  })
  const two = await loadKubeconfigs([{ type: 'RBAC', name: 'rbac' } as any, webhook(at('kubeconfig')), webhook(at('kubeconfig'))])
  assert.equal(two.size, 1)
  await assert.rejects(loadKubeconfigs([webhook(at('kubeconfig'), 'v2')]), ConfigError)
  await assert.rejects(loadKubeconfigs([webhook(undefined)]), /the webhook "w" needs a kubeConfigFile/)
})
