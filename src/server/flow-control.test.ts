import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLogger } from '../util/logger.js'
import { UserError } from '../util/user-error.js'
import type { BinnacleServer } from './binnacle-server.js'
import type { ServerOptions } from './options.js'
import { createServer } from './server.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const group = '/apis/flowcontrol.apiserver.k8s.io/v1'
const debug = '/debug/api_priority_and_fairness/dump_priority_levels'

async function within(options: ServerOptions, use: (server: BinnacleServer) => Promise<void>): Promise<void> {
  const server = createServer({ log: silentLogger, controllers: [], ...options })
  await server.start()
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const textOf = async (server: BinnacleServer, url: string) => (await server.inject({ url, user: admin })).body.toString()

describe('a server with priority and fairness', () => {
  it('goes by its objects as soon as they are written', () =>
    within({ authorizationMode: ['AlwaysAllow'] }, async server => {
      const create = async (resource: string, body: object) => {
        const { status, json } = await server.inject({ url: `${group}/${resource}`, user: admin, body })
        assert.equal(status, 201)
        return json().metadata.uid
      }
      const ann = { name: 'ann', groups: ['system:authenticated'] }
      const level = await create('prioritylevelconfigurations', {
        metadata: { name: 'mine' },
        spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } }
      })
      const schema = await create('flowschemas', {
        metadata: { name: 'mine' },
        spec: {
          priorityLevelConfiguration: { name: 'mine' },
          matchingPrecedence: 100,
          rules: [
            {
              subjects: [{ kind: 'User', user: { name: 'ann' } }],
              nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }]
            }
          ]
        }
      })
      const { headers } = await server.inject({ url: '/version', user: ann })
      assert.equal(headers['x-kubernetes-pf-flowschema-uid'], schema)
      assert.equal(headers['x-kubernetes-pf-prioritylevel-uid'], level)
      const { headers: others } = await server.inject({ url: '/api', user: ann })
      assert.notEqual(others['x-kubernetes-pf-flowschema-uid'], schema)
      assert.match(await textOf(server, debug), /^mine, .* 1, +0, +0, +0$/m)
      const metrics = await textOf(server, '/metrics')
      assert.match(metrics, /^apiserver_flowcontrol_dispatched_requests_total\{flow_schema="mine",priority_level="mine"\} 1$/m)
      assert.match(metrics, /^# HELP apiserver_flowcontrol_nominal_limit_seats \[BETA\] /m)
      assert.match(metrics, /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="mine"\} 12$/m)
      assert.match(
        metrics,
        /^apiserver_flowcontrol_request_wait_duration_seconds_bucket\{execute="true",flow_schema="mine",priority_level="mine",le="\+Inf"\} 1$/m
      )
      await server.inject({ url: `${group}/prioritylevelconfigurations/mine`, method: 'DELETE', user: admin })
      const { headers: after } = await server.inject({ url: '/version', user: ann })
      assert.notEqual(after['x-kubernetes-pf-flowschema-uid'], schema)
    }))

  it('shows its dumps only to those who may', () =>
    within({}, async server => {
      const { status } = await server.inject({ url: debug, user: { name: 'ann', groups: ['system:authenticated'] } })
      assert.equal(status, 403)
    }))

  it('needs limits that let something through', async () => {
    await assert.rejects(
      within({ maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 }, async () => {}),
      {
        name: UserError.name,
        message:
          'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive'
      }
    )
  })

  it('needs the version of its objects', async () => {
    for (const [name, runtimeConfig] of [
      ['flowcontrol.apiserver.k8s.io/v1', { 'flowcontrol.apiserver.k8s.io/v1': false }],
      ['api/ga', { 'api/ga': false }],
      ['api/all', { 'api/all': false, v1: true }]
    ] as const)
      await assert.rejects(
        within({ runtimeConfig }, async () => {}),
        {
          message: `--runtime-config=${name}=false conflicts with --enable-priority-and-fairness=true`
        }
      )
    await within({ runtimeConfig: { 'api/all': false, 'api/ga': true } }, async () => {})
  })
})

describe('a server without priority and fairness', () => {
  it('classifies nothing, and has no dumps', () =>
    within({ enablePriorityAndFairness: false, maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 }, async server => {
      const { headers } = await server.inject({ url: '/version', user: admin })
      assert.equal(headers['x-kubernetes-pf-flowschema-uid'], undefined)
      assert.equal((await server.inject({ url: debug, user: admin })).status, 404)
      const metrics = await textOf(server, '/metrics')
      assert.match(metrics, /^apiserver_current_inflight_requests\{request_kind="readOnly"\} 0$/m)
      assert.doesNotMatch(metrics, /apiserver_flowcontrol_nominal_limit_seats/)
      const { json } = await server.inject({ url: `${group}/flowschemas/exempt`, user: admin })
      assert.deepEqual(json().status, {})
    }))
})
