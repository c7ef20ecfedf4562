import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtinKinds } from '../kinds/index.js'
import { silentLogger } from '../util/logger.js'
import { createServer } from './server.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

async function served(runtimeConfig: Record<string, boolean>, ...paths: string[]): Promise<number[]> {
  const server = createServer({ log: silentLogger, runtimeConfig, enablePriorityAndFairness: false })
  await server.start()
  const statuses = []
  for (const url of paths) statuses.push((await server.inject({ url, user })).status)
  await server.stop()
  return statuses
}

describe('the runtime configuration', () => {
  it('accepts any name of the core group', async () => {
    const paths = ['/api/v1/pods', '/api/v1/secrets']
    for (const key of ['v1', '/v1', 'api/v1']) {
      assert.deepEqual(await served({ [`${key}/pods`]: false }, ...paths), [404, 200], key)
      assert.deepEqual(await served({ [key]: true }, ...paths), [200, 200], key)
    }
  })

  it('prefers the more specific setting', async () => {
    const paths = ['/apis/batch/v1/jobs', '/apis/batch/v1/cronjobs', '/apis/apps/v1/deployments']
    assert.deepEqual(await served({ 'api/all': false, 'batch/v1': true, 'batch/v1/jobs': false }, ...paths), [404, 200, 404])
    assert.deepEqual(await served({ 'api/ga': false, 'api/all': true }, ...paths), [404, 404, 404])
  })

  it('may switch all groups off or on', async () => {
    const versions = new Set(builtinKinds.map(({ group, versions: [{ name }] }) => (group === '' ? name : `${group}/${name}`)))
    for (const version of versions)
      assert.deepEqual(await served({ [version]: false }, '/version', '/readyz'), [200, 200], version)
    assert.deepEqual(await served({ 'api/ga': false }, '/version', '/readyz'), [200, 200])
    assert.deepEqual(await served({ 'api/all': false }, '/version', '/readyz'), [200, 200])
  })

  it('must name a known version, but may name any resource', async () => {
    for (const key of ['foo/v1', 'apps/v9', 'v2', 'apps'])
      await assert.rejects(served({ [key]: true }), /no such API; name a version/, key)
    assert.deepEqual(await served({ 'apps/v1/nothing': true, 'api/legacy': false }, '/version'), [200])
  })
})
