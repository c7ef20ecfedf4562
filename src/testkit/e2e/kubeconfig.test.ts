/** The kubeconfigs of `server.kubeconfig`, used by kubectl and by the JavaScript client. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as k8s from '@kubernetes/client-node'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { kubectlMissing, startKubectl } from './kubectl.js'

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'team' } }
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
const roles = 'rbac.authorization.k8s.io'
const readers = {
  apiVersion: `${roles}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'readers', namespace: 'team' },
  roleRef: { apiGroup: roles, kind: 'ClusterRole', name: 'view' },
  subjects: [
    { apiGroup: roles, kind: 'Group', name: 'devs' },
    { kind: 'ServiceAccount', namespace: 'team', name: 'builder' }
  ]
}

/** Who a kubeconfig is for, with what the server says of it. */
const users = [
  {
    of: (server: BinnacleServer) => server.kubeconfig({ user: 'alice', groups: ['devs', 'ops'] }),
    name: 'alice',
    groups: ['devs', 'ops', 'system:authenticated']
  },
  {
    of: (server: BinnacleServer) => server.kubeconfig({ user: 'bob' }),
    name: 'bob',
    groups: ['system:authenticated']
  },
  {
    of: (server: BinnacleServer) => server.kubeconfig({ serviceAccount: 'team/builder' }),
    name: 'system:serviceaccount:team:builder',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated']
  },
  {
    of: (server: BinnacleServer) => server.kubeconfig(),
    name: 'kubernetes-admin',
    groups: ['system:masters', 'system:authenticated']
  }
] as const

const server = createServer({ log: silentLogger })
let hosted: BinnacleServer
let fork: BinnacleServer
before(async () => {
  await server.start()
  await server.apply([namespace, account, readers])
  const snapshot = await server.snapshot()
  hosted = await server.host('one', { snapshot })
  fork = await snapshot.fork()
})
after(async () => {
  await fork.stop()
  await server.stop()
})

const configOf = (text: string) => {
  const config = new k8s.KubeConfig()
  config.loadFromString(text)
  return config
}
const whoAmI = async (text: string) => {
  const { status } = await configOf(text)
    .makeApiClient(k8s.AuthenticationV1Api)
    .createSelfSubjectReview({ body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' } })
  return { name: status?.userInfo?.username, groups: status?.userInfo?.groups }
}

describe('the kubeconfig of', () => {
  for (const { of, name, groups } of users) {
    test(`${name} is taken by the JavaScript client, on servers, hosted servers and forks`, async () => {
      for (const one of [server, hosted, fork]) assert.deepEqual(await whoAmI(await of(one)), { name, groups: [...groups] })
    })

    test(`${name} is taken by kubectl`, { skip: kubectlMissing }, async () => {
      const k = await startKubectl(server)
      try {
        writeFileSync(join(k.directory, 'kubeconfig'), await of(server), { mode: 0o600 })
        const { status } = JSON.parse(await k.run('auth whoami -o json'))
        assert.deepEqual([status.userInfo.username, status.userInfo.groups], [name, groups])
        const mayRead = name !== 'bob'
        if (mayRead) await k.run('get configmaps -n team')
        else assert.match((await k.fails('get configmaps -n team')).stderr, /User "bob" cannot list resource "configmaps"/)
      } finally {
        await k.close()
      }
    })
  }

  test('a user of one server is none of another', async () => {
    const other = createServer({ log: silentLogger })
    await other.start()
    try {
      const text = (await server.kubeconfig({ user: 'alice' })).replace(server.url, other.url)
      await assert.rejects(whoAmI(text), /certificate|self.signed/)
    } finally {
      await other.stop()
    }
  })

  test('a ServiceAccount has to be there, by namespace and name', async () => {
    await assert.rejects(
      server.kubeconfig({ serviceAccount: 'builder' }),
      /^UserError: a ServiceAccount is named namespace\/name/
    )
    await assert.rejects(server.kubeconfig({ serviceAccount: 'team/nobody' }), /serviceaccounts "nobody" not found/)
  })
})
