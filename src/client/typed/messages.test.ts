/** What TypeScript says about the commonest mistakes is short and names the mistake. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { build, errorsOf } from './testing/tsc.js'

/** A line with a mistake, and what its error says. */
const mistakes: readonly (readonly [line: string, says: RegExp])[] = [
  [`client.of('apps/v1', 'Deploymnet')`, /"Deploymnet"' is not assignable .*"Deployment"/],
  [`client.of('app/v1', 'Deployment')`, /"app\/v1"' is not assignable/],
  [`client.of('example.com/v1', 'Widget')`, /"example.com\/v1"' is not assignable/],
  [`pods.subresource('logz')`, /"logz"' is not assignable .*"log"/],
  [`pods.create({ metadata: { name: 'a' } })`, /'spec' is missing .* 'PodDraft'/],
  [`pods.create({ metadata: { name: 'a' }, spec: { containers: [{ image: 'b' }] } })`, /'name' is missing .* 'ContainerDraft'/],
  [`pods.create({ metadata: { name: 'a' }, spec: { containers: { name: 'a', image: 'b' } } })`, /'ContainerDraft\[\]'/],
  [`pods.create({ metadata: {}, spec: { containers: [] } })`, /'NewMetadata'/],
  [
    `pods.create({ metadata: { name: 'a' }, spec: { containers: [], restartPolicy: 'Never!' } })`,
    /"Always" \| "Never" \| "OnFailure"/
  ],
  [`pods.create({ metadata: { name: 'a', label: {} }, spec: { containers: [] } })`, /Did you mean to write 'labels'/],
  [
    `pods.create({ metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b', port: 80 }] } })`,
    /Did you mean to write 'ports'/
  ],
  [`pods.create({ kind: 'Job', metadata: { name: 'a' }, spec: { containers: [] } })`, /"Job"' is not assignable to type '"Pod"'/],
  [`pods.patch('a', { spec: { containerz: [] } })`, /Did you mean to write 'containers'/],
  [`pods.patch('a', { metadata: { labels: { a: 1 } } })`, /'number' is not assignable to type 'string'/],
  [`pods.patch('a', [{ op: 'delete', path: '/a' }])`, /"delete"' is not assignable/],
  [`pods.update({ metadata: {}, spec: { containers: [] } })`, /NamedMetadata/],
  [`pods.apply({ metadata: { name: 'a' }, spec: { containers: [{ image: 'b' }] } })`, /'name' is missing .* 'ContainerApply'/],
  [`deployments.create({ metadata: { name: 'a' }, spec: { template } })`, /'selector' is missing .* 'DeploymentSpecDraft'/],
  [`deployments.subresource('scale').patch('a', { spec: { replicas: '3' } })`, /'string' is not assignable to type 'number/],
  [`pod.spec.container`, /Did you mean 'containers'/],
  [`pod.status.phase === 'Runing'`, /"Runing"/],
  [`const wrong: { spec: { replicas: number } } = pod`, /'replicas' is missing in type 'PodSpec'/],
  [`courses.create({ metadata: { name: 'a' }, spec: { seats: '3' } })`, /'string' is not assignable to type 'number'/],
  [`courses.create({ metadata: { name: 'a' }, spec: { seat: 3 } })`, /Did you mean to write 'seats'/]
]

const head = `import type { BuiltinKinds, KindRef, KubeClient, KubeObject } from '${build}client/types.js'
interface Course extends KubeObject { spec: { seats: number } }
declare const client: KubeClient
declare const pod: BuiltinKinds['v1']['Pod']
declare const course: KindRef<Course>
const pods = client.of('v1', 'Pod'), deployments = client.of('apps/v1', 'Deployment'), courses = client.of(course)
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'b' }] } }
`

describe('what TypeScript says', () => {
  test('about the commonest mistakes fits in three lines, and names the mistake', () => {
    const first = head.split('\n').length
    // each in a block of its own, on one line
    const stdout = errorsOf({ 'mistakes.mts': head + mistakes.map(([line]) => `{ ${line} }\n`).join('') })
    const said = new Map<number, string[]>()
    let last: string[] = []
    for (const line of stdout.trimEnd().split('\n')) {
      const at = /mistakes\.mts\((\d+),\d+\): error/.exec(line)
      if (at) said.set(Number(at[1]) - first, (last = []))
      else assert.match(line, /^ /, stdout)
      last.push(line)
    }
    for (const [i, [line, says]] of mistakes.entries()) {
      const lines = said.get(i) ?? []
      assert.match(lines.join('\n'), says, line)
      assert.ok(lines.length <= 3, `${line}\n${lines.join('\n')}`)
      assert.ok(
        lines.every(each => each.length < 400),
        `${line}\n${lines.join('\n')}`
      )
    }
    assert.equal(said.size, mistakes.length, stdout)
  })
})
