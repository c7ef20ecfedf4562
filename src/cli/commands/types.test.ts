import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { typesCommand } from './types.js'

const definition = (kind: string, group: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${kind.toLowerCase()}s.${group}
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: { type: object, properties: { size: { type: integer } } }
`
const manifests = `${definition('Widget', 'example.com')}---\n${definition('Gadget', 'other.example.org')}`

function folderOf(t: TestContext): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-types-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return name => join(folder, name)
}

describe('binnacle types', () => {
  test('reads files and writes a file, of some groups', async t => {
    const at = folderOf(t)
    writeFileSync(at('crds.yaml'), manifests)
    await typesCommand([at('crds.yaml'), '--out', at('types.ts'), '--group=example.com'])
    const text = readFileSync(at('types.ts'), 'utf8')
    assert.match(text, /export interface Widget {[^}]*\n {2}size\?: number \| undefined\n}/)
    assert.doesNotMatch(text, /Gadget/)
    await assert.rejects(typesCommand([at('none.yaml')]), /none\.yaml/)
    await assert.rejects(typesCommand([at('crds.yaml'), '--group=none']), /there is no CustomResourceDefinition/)
  })

  test('reads a URL', async t => {
    const at = folderOf(t)
    const server = createHttpServer((request, response) =>
      response.writeHead(request.url === '/crds.yaml' ? 200 : 404).end(manifests)
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await typesCommand([`${url}/crds.yaml`, `--out=${at('types.ts')}`])
    assert.match(readFileSync(at('types.ts'), 'utf8'), /const gadget: KindRef/)
    await assert.rejects(typesCommand([`${url}/none.yaml`]), /none\.yaml: the answer is 404/)
  })

  test('asks the cluster of a kubeconfig', async t => {
    const at = folderOf(t)
    const server = createServer({ log: silentLogger })
    await server.start()
    t.after(() => server.stop())
    await server.apply(manifests)
    writeFileSync(at('kubeconfig'), server.kubeconfig())
    await typesCommand([`--kubeconfig=${at('kubeconfig')}`, `--out=${at('types.ts')}`, '--group', 'other.example.org'])
    const text = readFileSync(at('types.ts'), 'utf8')
    assert.match(text, /const gadget: KindRef/)
    assert.doesNotMatch(text, /Widget/)
  })
})
