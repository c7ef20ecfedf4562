import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deprecationWarnings } from './deprecated-flags.js'
import { parseFlags } from './parse.js'
import { acceptedFlags } from './serve-flags.js'

it('deprecated flags are taken, with the warning of kube-apiserver', () => {
  const { given } = parseFlags(
    ['--apiserver-count=3', '--kubelet-port', '10250', '--enable-logs-handler=false', '-v=1'],
    acceptedFlags
  )
  assert.deepEqual(deprecationWarnings(given), [
    'Flag --apiserver-count has been deprecated, apiserver-count is deprecated and will be removed in a future version.',
    'Flag --kubelet-port has been deprecated, kubelet-port is deprecated and will be removed.',
    'Flag --enable-logs-handler has been deprecated, Log handler functionality is deprecated'
  ])
})

it('a former name of a flag sets the flag', () => {
  const args = ['--audit-webhook-initial-backoff=1s', '--audit-webhook-batch-initial-backoff=3s']
  const { values, given } = parseFlags(args, acceptedFlags)
  assert.equal(values['audit-webhook-initial-backoff'], 3000)
  assert.deepEqual(deprecationWarnings(given), [
    'Flag --audit-webhook-batch-initial-backoff has been deprecated, Deprecated, use --audit-webhook-initial-backoff instead.'
  ])
})
