/** What counts as taken while claims are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPod } from '../testing/cluster.js'
import { ClaimBinder } from './claim-binder.js'

const claim = (name: string) => ({
  kind: 'ResourceClaim',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name, namespace: 'default', uid: `uid of ${name}` },
  spec: { devices: {} },
  status: {}
})

test('what claims are about to get counts once, from the reservation until they have it, and not when that fails', async () => {
  /** The uids of claims that are about to get something, at each write. */
  const seen: string[][] = []
  let removed = 0
  let isBroken = false
  const note = async (written: any) => {
    seen.push([...binder.pending().keys()].sort())
    if (isBroken && written.status?.allocation) throw new Error('broken')
    return written
  }
  const client = {
    create: (draft: any) => note({ ...draft, metadata: { ...draft.metadata, name: 'made', uid: 'uid of made' }, status: {} }),
    update: note,
    delete: async () => removed++,
    subresource: () => ({ update: (given: any) => note({ status: {}, ...given }), patch: async () => {} })
  }
  const binder = new ClaimBinder({
    client: { of: () => client },
    clock: { now: () => 0 },
    claims: { get: () => undefined, learn() {} },
    pods: { write: async () => {} }
  } as never)
  const allocation = { devices: {} }
  const planned = [
    { claim: claim('own'), allocation },
    { claim: claim('planned'), allocation, mappings: [] }
  ]
  const reservation = binder.reserve(aPod('web'), 'node', planned as never)
  const before = ['uid of own', 'uid of planned']
  assert.deepEqual([...binder.pending().keys()].sort(), before)
  await reservation.carryOut(new AbortController().signal)
  const after = ['uid of made', 'uid of own']
  // the finalizer and the status of the first, then the second one: it, its finalizer and its status
  assert.deepEqual(seen, [before, before, before, after, after])
  assert.equal(binder.pending().size, 0)

  isBroken = true
  const second = binder.reserve(aPod('web'), 'node', planned.slice(1) as never)
  await assert.rejects(second.carryOut(new AbortController().signal), /broken/)
  second.release()
  assert.equal(binder.pending().size, 0)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(removed, 1)
})
