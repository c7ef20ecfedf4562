import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupResource } from '../apimachinery/status/status.js'
import { checkScopes } from './scope.js'

test('a plugin that names a resource which does not exist would never run', () => {
  const asked: GroupResource[] = []
  const exists = (resource: GroupResource) => {
    asked.push(resource)
    return resource.resource !== 'deployments' || resource.group === 'apps'
  }
  const check = (...resources: string[]) => checkScopes([{ name: 'All' }, { name: 'P', resources }], exists)
  check()
  check('pods', 'apps/deployments', '/nodes')
  assert.deepEqual(asked, [
    { group: '', resource: 'pods' },
    { group: 'apps', resource: 'deployments' },
    { group: '', resource: 'nodes' }
  ])
  assert.throws(() => check('pods', 'deployments'), {
    name: 'UserError',
    message: 'admission plugin P: resources: deployments: no such resource; give the group, too: apps/deployments'
  })
})
