import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { optionTable } from '../options/table.js'
import type { ServerOptions } from '../options.js'
import { configurationProblems } from './configuration.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-configuration-'))
after(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const messages = async (options: ServerOptions) => (await configurationProblems(options)).map(({ message }) => message)

/** What the server makes itself. */
const made: readonly string[] = ['dataDir', 'certDir', 'auditLogPath', 'debugSocketPath', 'serviceAccountSigningEndpoint']

describe('the problems of a configuration', () => {
  it('are none for a sound one, and nothing is written', async () => {
    const options = {
      dataDir: join(folder, 'data'),
      certDir: join(folder, 'data', 'pki'),
      auditLogPath: join(folder, 'audit.log')
    }
    assert.deepEqual(await messages(options), [])
    assert.deepEqual(await messages({}), [])
    assert.equal(existsSync(options.dataDir), false)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('name every file that is missing, at once', async () => {
    const paths = Object.entries(optionTable).filter(([name, option]) => 'isPath' in option && !made.includes(name))
    const values = paths.map(([name, { type }]) => {
      const path = join(folder, `none-${name}`)
      const text = type.label === 'namedCertKey' ? [`${path},${path}`] : type.label === 'stringArray' ? [path] : path
      return [name, text] as const
    })
    const options: ServerOptions = {
      ...Object.fromEntries(values),
      storageBackend: 'etcd3',
      etcdServers: ['https://127.0.0.1:1'],
      authorizationMode: ['ABAC', 'Webhook'],
      featureGates: { UnknownVersionInteroperabilityProxy: true }
    }
    const [first, second] = [{ ...options, authorizationConfig: undefined, authenticationConfig: undefined }, options]
    const found = [
      ...(await configurationProblems(first)),
      ...(await configurationProblems({
        ...second,
        authorizationMode: undefined,
        authorizationWebhookConfigFile: undefined,
        oidcCAFile: undefined
      }))
    ]
    const named = new Set(found.flatMap(({ flags }) => flags))
    const silent = paths.filter(([, { flag }]) => !named.has(flag)).map(([, { flag }]) => flag)
    assert.deepEqual(silent, [], found.map(({ message }) => message).join('\n'))
  })

  it('name each wrong part of a server, beside wrong files', async () => {
    const found = await configurationProblems({
      clientCAFile: file('ca.crt', 'no certificate'),
      tlsMinVersion: 'TLS9',
      runtimeConfig: { 'api/foo': true },
      apiGroups: ['foo.example.com']
    })
    assert.deepEqual(found.map(({ flags: [flag] }) => flag).sort(), [
      'api-groups',
      'client-ca-file',
      'runtime-config',
      'tls-min-version'
    ])
  })

  it('name the flag where kube-apiserver names none', async () => {
    const path = file('authz.yaml', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: []\n')
    const [problem, ...more] = await configurationProblems({ authorizationConfig: path })
    assert.deepEqual(more, [])
    assert.equal(
      problem!.message,
      `--authorization-config ${path}: authorizers: Required value: at least one authorization mode must be defined`
    )
    assert.deepEqual(problem!.flags, ['authorization-config'])
  })
})
