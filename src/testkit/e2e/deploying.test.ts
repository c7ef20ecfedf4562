/** What deploy/ has fits the server that it deploys. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { parseFlagsAndFile } from '../../cli/config-file.js'
import { acceptedFlags } from '../../cli/flags/serve-flags.js'
import { until } from '../../client/until.js'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'binnacle-deploying-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const text = (path: string) => readFileSync(join(deploy, path), 'utf8')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined

for (const variant of ['lmdb', 'etcd'])
  describe(`deploy/kubernetes/${variant}`, () => {
    const resources: string[] = parse(text(`kubernetes/${variant}/kustomization.yaml`)).resources
    const manifests: any[] = resources.map(name => parse(text(`kubernetes/${variant}/${name}`)))
    const workload = manifests.find(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
    const pod = workload.spec.template.spec

    it('names all of its files', () => {
      const files = readdirSync(join(deploy, 'kubernetes', variant))
      assert.deepEqual(files.filter(name => name !== 'kustomization.yaml').sort(), [...resources].sort())
    })

    it('is accepted without a warning, in a namespace with the restricted standard, and its Pods run', async () => {
      const server = createServer({ log: silentLogger, simulate: { nodes: 3 } })
      await server.start()
      try {
        const user = { name: 'deployer', groups: ['system:masters'] }
        for (const manifest of manifests) {
          const { apiVersion, kind, metadata } = manifest
          const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
          const plural = kind === 'PodDisruptionBudget' ? 'poddisruptionbudgets' : `${kind.toLowerCase()}s`
          const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`
          const url = `${group}${place}/${plural}?fieldValidation=Strict`
          const { status, headers, json } = await server.inject({ url, body: manifest, user })
          assert.equal(status, 201, JSON.stringify(json()))
          assert.equal(headers.warning, undefined, String(headers.warning))
        }
        // made by hand, as the file kustomization.yaml says
        for (const { secret } of pod.volumes)
          if (secret) {
            const url = '/api/v1/namespaces/binnacle/secrets'
            await server.inject({ url, body: { metadata: { name: secret.secretName } }, user })
          }
        const wanted = workload.spec.replicas
        await until(server.client(), workload, ({ status }: any) => status?.readyReplicas === wanted, { timeout: 30_000 })
      } finally {
        await server.stop()
      }
    })

    it('has a configuration and arguments that the server knows', () => {
      const config = join(folder, `${variant}.yaml`)
      writeFileSync(config, manifests.find(({ kind }) => kind === 'ConfigMap').data['config.yaml'])
      const [, ...args] = pod.containers[0].args.map((arg: string) => arg.replace('$(POD_IP)', '10.0.0.1'))
      const { values } = parseFlagsAndFile([`--config=${config}`, ...args], acceptedFlags)
      assert.equal(values['shutdown-delay-duration'], 10_000)
      assert.ok(pod.terminationGracePeriodSeconds * 1000 > values['shutdown-delay-duration'])
    })

    it('mounts what its flags name', () => {
      const { volumeMounts, args } = pod.containers[0]
      const config = manifests.find(({ kind }) => kind === 'ConfigMap').data['config.yaml']
      const paths = [...`${config} ${args.join(' ')}`.matchAll(/(?:: |=)(\/[\w/.-]+)/g)].map(([, path]) => path!)
      assert.ok(paths.length > 1)
      const mounted = (path: string) => volumeMounts.some(({ mountPath }: any) => path.startsWith(`${mountPath}/`))
      assert.deepEqual(
        paths.filter(path => !mounted(path)),
        []
      )
      const volumes = new Set(
        [...pod.volumes, ...(workload.spec.volumeClaimTemplates ?? []).map(({ metadata }: any) => metadata)].map(
          ({ name }) => name
        )
      )
      assert.deepEqual(
        volumeMounts.filter(({ name }: any) => !volumes.has(name)),
        []
      )
    })

    it('is complete for kustomize', { skip: has('kubectl') ? false : 'kubectl is not installed' }, () => {
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(deploy, 'kubernetes', variant)], {
        encoding: 'utf8'
      })
      assert.equal(status, 0, stderr)
      assert.equal(stdout.match(/^kind: /gm)?.length, manifests.length)
    })
  })

/** The metrics that an expression of PromQL names: what is no function, label, keyword or duration. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/(?<![\w:$])[a-zA-Z_][\w:]*(?!\s*\(|[\w:])/g)]
    .map(([name]) => name)
    .filter(name => !/^(?:and|or|unless|bool|offset)$/.test(name))
}

describe('deploy/monitoring', () => {
  const { groups } = parse(text('monitoring/rules.yaml'))
  const rules: any[] = groups.flatMap((group: any) => group.rules)
  const dashboard = JSON.parse(text('monitoring/dashboard.json'))
  const targets: any[] = dashboard.panels.flatMap((panel: any) => panel.targets ?? [])
  const expressions: string[] = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => expr)]

  /** Metrics that a server shows only after what they count has happened. */
  const shownLater = [
    'apiserver_audit_error_total',
    'apiserver_flowcontrol_rejected_requests_total',
    'apiserver_requested_deprecated_apis',
    'apiserver_longrunning_requests'
  ]

  it('asks for metrics that a server shows', async () => {
    const dataDir = join(folder, 'data')
    const server = createServer({
      dataDir,
      log: silentLogger,
      processMetrics: true,
      backupSchedule: '@daily',
      backupFolder: join(folder, 'backups')
    })
    await server.start()
    const user = { name: 'prometheus', groups: ['system:masters'] }
    await server.inject({ url: '/api/v1/namespaces', user })
    const { body } = await server.inject({ url: '/metrics', user })
    await server.stop()
    const shown = new Map([...body.toString().matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
    const isShown = (name: string) => {
      const [, base = name, part] = /^(.*?)_(bucket|sum|count)$/.exec(name) ?? []
      return shown.has(name)
        ? !/histogram|summary/.test(shown.get(name)!)
        : part !== undefined && /histogram|summary/.test(shown.get(base) ?? '')
    }
    const recorded = rules.flatMap(({ record }) => record ?? [])
    const named = new Set(expressions.flatMap(metricsIn))
    assert.ok(named.size > 20, [...named].join())
    assert.deepEqual(
      [...named].filter(name => !isShown(name) && !recorded.includes(name) && !shownLater.includes(name)),
      []
    )
    for (const name of shownLater) assert.ok(isDeclared(name), name)
    assert.deepEqual(
      shownLater.filter(name => !named.has(name) || shown.has(name)),
      [],
      'the list of those that are shown later'
    )
  })

  it('has a name, a severity and a text for each alert', () => {
    for (const { alert, record, labels, annotations } of rules) {
      assert.ok(alert ?? record)
      if (alert) assert.ok(labels.severity && annotations.summary && annotations.description, alert)
    }
    assert.equal(new Set(dashboard.panels.map(({ id }: any) => id)).size, dashboard.panels.length)
  })

  it('is valid for Prometheus', { skip: has('promtool') ? false : 'promtool is not installed' }, () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(deploy, 'monitoring/rules.yaml')], {
      encoding: 'utf8'
    })
    assert.equal(status, 0, stdout + stderr)
  })
})

/** Whether some module of the server declares a metric; a group of metrics has the beginning of its names in common. */
function isDeclared(metric: string): boolean {
  const build = fileURLToPath(new URL('../../', import.meta.url))
  const own = metric.replace(/^apiserver_(?:(?:audit|flowcontrol)_)?/, '')
  const isOne = (name: string) => /(?:metrics|families)\.js$/.test(name)
  const files = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter(isOne)
  return files.some(name => readFileSync(join(build, name), 'utf8').includes(own))
}
