// Builds the documentation as a site, with VitePress, and says where it is. A link that leads nowhere is an error.
//   npm run docs
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = join(root, 'site')

const npm = (...args) => {
  const { status } = spawnSync('npm', args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(join(site, 'node_modules/vitepress'))) npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
npm('run', '--silent', 'build')
process.stdout.write(`${join(site, '.vitepress/dist/index.html')}\n`)
