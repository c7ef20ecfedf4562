import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { kubeletCredentials } from './kubelet-credentials.js'

it('a bad renewed file for kubelets is logged once, and the good one stays in use', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-kubelets-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const certificateAuthority = join(directory, 'ca.crt')
  const { ca } = await loadOrCreatePki({ servingNames: ['localhost'], now: Date.now() })
  writeFileSync(certificateAuthority, ca.certificate)
  const errors: string[] = []
  const credentials = await kubeletCredentials(
    { certificateAuthority },
    { ...silentLogger, error: text => void errors.push(text) }
  )
  const before = await credentials()
  writeFileSync(certificateAuthority, 'no certificate')
  assert.deepEqual(await credentials(), before)
  assert.deepEqual(await credentials(), before)
  assert.equal(errors.length, 1)
  assert.match(errors[0]!, /^reading the credentials for kubelets again failed: /)
})
