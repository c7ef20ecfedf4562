// The site is docs/ and the pages at the top of the repository, as they are: nothing is written twice.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const root = fileURLToPath(new URL('../..', import.meta.url))
const repository = 'https://github.com/binnacle-dev/binnacle'
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md']

/** The title of a page is its first heading. */
const titleOf = file => /^# (.+)$/m.exec(readFileSync(`${root}${file}`, 'utf8'))?.[1].replaceAll('`', '') ?? file
const item = name => {
  const file = existsSync(`${root}docs/${name}.md`) ? `docs/${name}.md` : `${name}.md`
  return { text: titleOf(file), link: `/${file.replace(/\.md$/, '')}` }
}
const section = (text, ...names) => ({ text, collapsed: false, items: names.map(item) })

/** Links to what is no page of the site, such as a folder of examples, lead to the repository. */
const toRepository = markdown => {
  const before = markdown.renderer.rules.link_open ?? ((tokens, i, options, _, self) => self.renderToken(tokens, i, options))
  markdown.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const token = tokens[i]
    const [path, anchor = ''] = (token.attrGet('href') ?? '').split('#')
    if (path && !/^([a-z]+:|\/)/.test(path)) {
      const here = env.relativePath ?? ''
      const target = new URL(path, `file:///${here}`).pathname.slice(1)
      const isPage = pages.includes(target) || (target.startsWith('docs/') && target.endsWith('.md'))
      if (!isPage && existsSync(`${root}${target}`))
        token.attrSet('href', `${repository}/blob/main/${target}${anchor && `#${anchor}`}`)
    }
    return before(tokens, i, options, env, self)
  }
}

export default defineConfig({
  title: 'Binnacle',
  description: 'The Kubernetes API server in TypeScript',
  srcDir: root,
  srcExclude: listed(),
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  markdown: { config: toRepository },
  // pages lie beside this folder, and find its packages here
  vite: {
    resolve: {
      alias: ['vue/server-renderer', 'vue'].map(find => ({
        find,
        replacement: fileURLToPath(new URL(`../node_modules/${find}`, import.meta.url))
      }))
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Tutorials', link: '/docs/tutorials/learn' },
      { text: 'Documentation', link: '/docs/README' },
      { text: 'Flags', link: '/docs/flags' },
      { text: 'Changes', link: '/CHANGELOG' }
    ],
    sidebar: [
      section('Tutorials', 'tutorials/learn', 'tutorials/operator-tests', 'tutorials/embed', 'tutorials/platform'),
      section(
        'Operators and tests',
        ...['envtest', 'testing', 'other-languages', 'operators', 'client', 'clients', 'simulate', 'kwok']
      ),
      section('In a program', 'library', 'queries', 'sets', 'formats'),
      section(
        'Running a server',
        ...['operations', 'console', 'explain', 'history', 'authentication', 'authorization', 'admission', 'audit', 'encryption'],
        ...['metrics', 'scaling', 'nodes', 'aggregation', 'SECURITY']
      ),
      section('Reference', 'flags', 'feature-gates', 'limits', 'performance', 'sizes', 'CHANGELOG'),
      section('How it works', 'lifecycle', 'ARCHITECTURE', 'compare', 'dependencies', 'releasing', 'mutation', 'CONTRIBUTING')
    ],
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/:path` },
    footer: { message: 'Apache-2.0' }
  }
})

/** All pages of the repository that are none of the site: those of the wings, of the tests. */
function listed() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8'
  })
  const others = files.split('\n').filter(file => file && !pages.includes(file) && !file.startsWith('docs/'))
  return [...others, '**/node_modules/**', 'build/**', 'dist/**']
}
