/** Audit of whole objects, for a webhook that takes its time. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHttps } from '../../../../build/testkit/webhook-server.js'

const maps = '/api/v1/namespaces/default/configmaps'
/** Answers no call before the probes are over. */
const backend = await startHttps(() => new Promise(() => {}))
const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'kubeconfig')
const ca = Buffer.from(backend.ca).toString('base64')
writeFileSync(
  file,
  JSON.stringify({
    clusters: [{ name: 'a', cluster: { server: backend.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'a', user: {} }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a'
  })
)

export const options = {
  auditPolicy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] },
  auditWebhookConfigFile: file
}

export const probes = {
  '100 bodies of 2.5 MB for a backend that does not answer': async target => {
    const statuses = new Set()
    for (let i = 0; i < 100; i++) {
      const body = { metadata: { name: `m${i}`, labels: { 'a b': 'refused' } }, data: { text: 'x'.repeat(2_500_000) } }
      statuses.add((await target.send('POST', maps, body)).status)
    }
    return `${[...statuses]}`
  }
}
