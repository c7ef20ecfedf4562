import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtinKinds } from '../kinds/index.js'
import { silentLogger } from '../util/logger.js'
import type { ServerOptions } from './options.js'
import { storageVersionOf } from './runtime-config.js'
import { createServer } from './server.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

const served = (runtimeConfig: Record<string, boolean>, ...paths: string[]) => statuses({ runtimeConfig }, ...paths)

/** `settings`: of the runtime configuration, and options that go with it. */
function emulating(version: string, settings: Record<string, boolean>, ...paths: string[]): Promise<number[]> {
  const { emulationForwardCompatible, runtimeConfigEmulationForwardCompatible, ...runtimeConfig } = settings
  const options = { emulationForwardCompatible, runtimeConfigEmulationForwardCompatible, runtimeConfig }
  return statuses({ emulatedVersion: [version], ...options }, ...paths)
}

async function statuses(options: ServerOptions, ...paths: string[]): Promise<number[]> {
  const server = createServer({ log: silentLogger, enablePriorityAndFairness: false, ...options })
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
    assert.deepEqual(await served({ 'api/all': false, 'api/ga': false }, '/version', '/readyz'), [200, 200])
  })

  it('has the versions of the emulated release', async () => {
    const paths = [
      '/apis/certificates.k8s.io/v1/clustertrustbundles',
      '/apis/storagemigration.k8s.io/v1/storageversionmigrations',
      '/version'
    ]
    assert.deepEqual(await served({}, ...paths), [200, 200, 200])
    assert.deepEqual(await emulating('1.36', {}, ...paths), [404, 404, 200])
  })

  it('warns of a deprecated version from the release on that deprecates it', async () => {
    const warnings = async (url: string, options: ServerOptions) => {
      const server = createServer({ log: silentLogger, enablePriorityAndFairness: false, ...options })
      await server.start()
      const { headers } = await server.inject({ url, user })
      await server.stop()
      return headers.warning !== undefined
    }
    const classes = '/apis/resource.k8s.io/v1beta2/deviceclasses'
    const runtimeConfig = { 'api/beta': true }
    assert.equal(await warnings(classes, { runtimeConfig }), true)
    assert.equal(await warnings(classes, { runtimeConfig, emulatedVersion: ['1.35'] }), false)
    assert.equal(await warnings('/apis/resource.k8s.io/v1beta2/devicetaintrules', { runtimeConfig }), false)
  })

  it('goes beyond the emulated release only where that is asked for', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'
    const beta = { 'admissionregistration.k8s.io/v1beta1': true }
    assert.deepEqual(await emulating('1.35', beta, path), [404])
    assert.deepEqual(await emulating('1.35', { ...beta, emulationForwardCompatible: true }, path), [200])
    assert.deepEqual(await emulating('1.35', { emulationForwardCompatible: true }, path), [404])
    const named = { 'admissionregistration.k8s.io/v1/mutatingadmissionpolicies': true }
    assert.deepEqual(await emulating('1.35', { ...named, runtimeConfigEmulationForwardCompatible: true }, path), [200])
    await assert.rejects(emulating('1.35', named, path), {
      message:
        'cannot enable resource admissionregistration.k8s.io/v1, Resource=mutatingadmissionpolicies in runtime-config because it is introduced at 1.36 after the current version 1.35. Consider setting --runtime-config-emulation-forward-compatible=true'
    })
    await assert.rejects(
      emulating('1.36', { 'storagemigration.k8s.io/v1': true }, path),
      /^UserError: cannot enable version storagemigration.k8s.io\/v1 in runtime-config because all the resources have been introduced after the current version 1.36/
    )
  })

  it('must name a known version, but may name any resource', async () => {
    const refused = {
      'foo/v1': '--runtime-config: unknown api groups foo/v1',
      'apps/v9': '--runtime-config: group version apps/v9 that has not been registered',
      v19: '--runtime-config: group version v19 that has not been registered',
      apps: '--runtime-config: runtime-config invalid key apps',
      'apps/v1/Jobs':
        '--runtime-config: invalid key apps/v1/Jobs: group/version/resource and resource is always lowercase plural, not "Jobs"'
    }
    for (const [key, message] of Object.entries(refused)) await assert.rejects(served({ [key]: true }), { message })
    await assert.rejects(served({ 'api/all': false }), { message: 'invalid runtime-config with only api/all=false' })
    assert.deepEqual(await served({ 'apps/v1/nothing': true, 'api/legacy': false }, '/version'), [200])
  })
})

describe('the storage version', () => {
  const of = (name: string, emulated: number, minCompatibility: number) =>
    storageVersionOf(builtinKinds.find(({ kind }) => kind === name)!, { emulated, minCompatibility })

  it('is one that an older server knows, but no alpha version where there is another', () => {
    assert.equal(of('DeviceTaintRule', 37, 36), 'v1beta2')
    assert.equal(of('DeviceTaintRule', 37, 37), 'v1')
    assert.equal(of('PodCertificateRequest', 37, 36), 'v1beta1')
    assert.equal(of('MutatingAdmissionPolicy', 37, 36), 'v1')
    assert.equal(of('MutatingAdmissionPolicy', 36, 35), 'v1beta1')
    assert.equal(of('PodGroup', 37, 36), 'v1beta1')
    assert.equal(of('CompositePodGroup', 37, 36), 'v1alpha3')
  })
})
