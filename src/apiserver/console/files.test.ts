import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Response } from '../../apimachinery/request/message.js'
import { ConsoleFiles } from './files.js'

let folder: string
let files: ConsoleFiles
const page = '<!doctype html>'

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-console-files-'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  const made = {
    'index.html': page,
    'icon.svg': '<svg/>',
    'assets/a-1.js': 'js',
    'assets/a-1.js.br': 'BR',
    'assets/a-1.js.gz': 'GZ',
    'assets/b-2.css.gz': 'alone'
  }
  for (const [name, text] of Object.entries(made)) await writeFile(join(folder, 'dist', name), text)
  await symlink(join(folder, 'secret.txt'), join(folder, 'dist/link.txt'))
  files = new ConsoleFiles(async () => join(folder, 'dist'))
})
after(() => rm(folder, { recursive: true }))

const ask = (path: string, headers = {}) => files.answer(path, headers)
const textOf = (response: Response | undefined) => response?.body?.toString()

describe('the files of the console', () => {
  it('are sent as they are, or compressed', async () => {
    const { status, headers, body } = (await ask('/console/assets/a-1.js'))!
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers.vary, 'Accept-Encoding')
    assert.equal(body?.toString(), 'js')
    for (const [accepted, coding, text] of [
      ['gzip, br', 'br', 'BR'],
      ['gzip', 'gzip', 'GZ']
    ] as const) {
      const compressed = (await ask('/console/assets/a-1.js', { 'accept-encoding': accepted }))!
      assert.equal(compressed.headers['content-encoding'], coding)
      assert.equal(textOf(compressed), text)
    }
    assert.equal((await ask('/console/icon.svg'))!.headers.vary, undefined)
    assert.equal(textOf(await ask('/console/assets/b-2.css.gz')), 'alone')
    assert.equal(await ask('/console/assets/a-1.js.br'), undefined)
  })

  it('are the page for each path of the page', async () => {
    for (const path of ['/console/', '/console/index.html', '/console/apis/apps/v1/deployments', '/console/x/']) {
      const { headers, body } = (await ask(path))!
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.equal(body?.toString(), page)
    }
    const named = '/console/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com'
    assert.equal(await ask(named, { accept: '*/*' }), undefined)
    assert.equal(textOf(await ask(named, { 'sec-fetch-mode': 'navigate' })), page)
    assert.equal(textOf(await ask(named, { accept: 'application/xhtml+xml, text/html;q=0.9' })), page)
    for (const path of ['/console/assets/none', '/console/assets/none.js'])
      assert.equal(await ask(path, { 'sec-fetch-mode': 'navigate' }), undefined)
  })

  it('are not sent again to those who have them', async () => {
    const { etag } = (await ask('/console/'))!.headers
    for (const known of [etag, `"x", ${etag}`, '*']) {
      const { status, body } = (await ask('/console/', { 'if-none-match': known }))!
      assert.deepEqual([status, body], [304, undefined])
    }
    assert.equal((await ask('/console/', { 'if-none-match': '"x"' }))!.status, 200)
    assert.notEqual((await ask('/console/icon.svg'))!.headers.etag, etag)
  })

  it('are those of the package, whatever the path says', async () => {
    const roots = ['/console/', '/console/assets/']
    const wrong = [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '..\\secret.txt',
      '..%5csecret.txt',
      'link.txt',
      'icon.svg%00',
      'icon.svg\0',
      `/${folder}/secret.txt`,
      `${folder}/secret.txt`,
      'assets/../icon.svg',
      'ICON.SVG',
      '__proto__.x',
      'constructor.name',
      'icon.svg/',
      'icon.svg?x.y'
    ]
    for (const root of roots) for (const path of wrong) assert.notEqual(textOf(await ask(root + path)), 'secret')
    for (const path of wrong.filter(path => !path.endsWith('/'))) assert.equal(await ask(`/console/${path}`), undefined, path)
  })

  it('are read once', async () => {
    const other = join(folder, 'changed')
    await mkdir(other)
    await writeFile(join(other, 'index.html'), 'one')
    const changed = new ConsoleFiles(async () => other)
    assert.equal(textOf(await changed.answer('/console/', {})), 'one')
    await writeFile(join(other, 'index.html'), 'two')
    assert.equal(textOf(await changed.answer('/console/', {})), 'one')
  })

  it('are looked for again as long as there are none', async () => {
    let found: string | undefined
    const late = new ConsoleFiles(async () => found)
    assert.equal(await late.isThere(), false)
    found = join(folder, 'dist')
    assert.equal(textOf(await late.answer('/console/', {})), page)
  })
})
