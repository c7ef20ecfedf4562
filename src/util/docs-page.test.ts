import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { docsPage } from './docs-page.js'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

test('pages are at the home of the package', () => {
  const { homepage } = JSON.parse(read('package.json')) as { homepage: string }
  assert.equal(docsPage('kwok'), `${homepage.replace(/#.*/, '')}/blob/main/docs/kwok.md`)
})

const skip = existsSync(new URL('src/index.ts', root)) ? false : 'the sources are in the repository only'

test('messages and help name pages that are there, by an address that opens', { skip }, () => {
  const sources = (readdirSync(new URL('src/', root), { recursive: true }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('generated/'))
  let named = 0
  for (const path of sources) {
    const code = read(`src/${path}`).replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    for (const [, page] of code.matchAll(/docsPage\('([^']*)'\)/g)) {
      named++
      assert.ok(existsSync(new URL(`docs/${page}.md`, root)), `src/${path} names docs/${page}.md, which is not there`)
    }
    const [bare] = /(?<![/\w])docs\/[a-z]\S*\.md/.exec(code) ?? []
    assert.equal(bare, undefined, `src/${path} names ${bare}, which users cannot open: docsPage() has its address`)
  }
  assert.ok(named > 10)
})
