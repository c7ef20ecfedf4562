import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createServer } from '../../index.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'
import { generateCommand } from './generate.js'

const load = (url: string): Promise<object> => import(url)
const operatorModule = JSON.stringify(new URL('../../client/operator/index.js', import.meta.url).href)
const indexModule = JSON.stringify(new URL('../../index.js', import.meta.url).href)
const source = `import { defineOperator, defineReconciler, defineWebhook } from ${operatorModule}
import { defineKind, kindRef } from ${indexModule}

const course = defineKind({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } }]
})
const rooms = defineReconciler({ for: course, owns: [kindRef('v1', 'ConfigMap')], async reconcile() {} })
const webhooks = [defineWebhook({ kind: course, validate() {} })]
export const operator = defineOperator({ name: 'rooms', kinds: [course], reconcilers: [rooms], webhooks })
export default operator
`

async function folderWith(t: TestContext, text: string, name = 'operator.mjs') {
  const folder = await freshDirectory(t)
  const file = join(folder, name)
  writeFileSync(file, text)
  return { folder, file }
}

/** What the command writes to standard output. */
async function printed(t: TestContext, args: readonly string[]): Promise<string> {
  let text = ''
  const { mock } = t.mock.method(process.stdout, 'write', (part: string) => {
    text += part
    return true
  })
  try {
    await generateCommand(args, load)
  } finally {
    mock.restore()
  }
  return text
}

describe('binnacle generate', () => {
  test('writes a folder of manifests that kustomization.yaml names and a server takes', async t => {
    const { folder, file } = await folderWith(t, source)
    const out = join(folder, 'deploy', 'base')
    await generateCommand([file, '--out', out, '--image=registry.example.com/rooms:1.0', '-n', 'school'], load)
    const names = readdirSync(out).sort()
    const kustomization = readFileSync(join(out, 'kustomization.yaml'), 'utf8')
    for (const name of names.filter(name => name !== 'kustomization.yaml')) assert.ok(kustomization.includes(`- ${name}\n`), name)
    const server = createServer({ listen: false, log: silentLogger })
    t.after(() => server.stop())
    await server.start()
    const manifests = names.filter(name => name !== 'kustomization.yaml').map(name => join(out, name))
    const applied = await server.apply(manifests)
    const kinds = new Set(applied.map(({ kind }) => kind))
    for (const kind of [
      'CustomResourceDefinition',
      'Namespace',
      'ServiceAccount',
      'ClusterRole',
      'Deployment',
      'Service',
      'ValidatingWebhookConfiguration'
    ])
      assert.ok(kinds.has(kind), kind)
    const deployment = applied.find(({ kind }) => kind === 'Deployment') as any
    assert.equal(deployment.spec.template.spec.containers[0].image, 'registry.example.com/rooms:1.0')
    assert.equal(deployment.metadata.namespace, 'school')
    // the same again, over what is there
    await generateCommand([file, '--out', out], load)
    assert.deepEqual(readdirSync(out).sort(), names)
  })

  test('prints all manifests, with the namespace and image that the operator has by default', async t => {
    const { file } = await folderWith(t, source)
    const text = await printed(t, [file])
    assert.match(text, /^---$/m)
    assert.match(text, /image: rooms:latest/)
    assert.match(text, /namespace: rooms-system/)
    assert.doesNotMatch(text, /kind: Kustomization/)
    assert.match(await printed(t, ['--help']), /binnacle generate FILE \[flags\]/)
  })

  test('says what is wrong with the module', async t => {
    const refuses = async (text: string, why: RegExp, name?: string) => {
      const { file } = await folderWith(t, text, name)
      await assert.rejects(generateCommand([file], load), (error: Error) => {
        assert.equal(error.name, 'UserError')
        assert.match(error.message, why)
        return true
      })
    }
    await refuses('export const a = 1\n', /operator\.mjs: exports no operator: export what defineOperator returns$/)
    const two = source.replace(
      'export default operator',
      `export const other = defineOperator({ name: 'other', reconcilers: [rooms] })`
    )
    await refuses(two, /operator\.mjs: exports several operators$/)
    await refuses('throw new Error("no such luck")\n', /operator\.mjs: no such luck$/)
    await refuses('export const operator = { name: "Bad Name", reconcilers: [] }\n', /name/)
    await assert.rejects(generateCommand(['/nowhere/operator.mjs'], load), /\/nowhere\/operator\.mjs: Cannot find module/)
    await assert.rejects(generateCommand([], load), /^UserError: FILE is missing/)
    const { file } = await folderWith(t, source)
    await assert.rejects(
      generateCommand([file, '--out', join(file, 'deploy')], load),
      /a part of the path is not a directory|not a directory/
    )
  })
})
