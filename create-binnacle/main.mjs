#!/usr/bin/env node
// npm create binnacle@latest NAME: makes the folder of a new project from a template.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const templates = fileURLToPath(new URL('./template', import.meta.url))
const known = readdirSync(templates)
const help = `Makes a folder with a Kubernetes operator in TypeScript, whose tests need no cluster.

Usage:
  npm create binnacle@latest NAME [-- --template TEMPLATE]
  pnpm create binnacle NAME [--template TEMPLATE]

NAME is the folder, which must be empty or not there, and the name of the project: letters a to z, digits and "-".
Templates: ${known.join(', ')}
`

function fail(message) {
  console.error(message)
  process.exit(1)
}

function argumentsOf() {
  try {
    const options = {
      template: { type: 'string', default: 'operator' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' }
    }
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return fail(`create-binnacle: ${error.message}`)
  }
}

const { values, positionals } = argumentsOf()
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}
if (values.version) {
  const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
  console.log(`create-binnacle ${version}`)
  process.exit(0)
}
if (positionals.length !== 1) fail(help)
const folder = resolve(positionals[0])
const name = basename(folder)
if (!/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name))
  fail(
    `create-binnacle: the name has up to 40 letters a to z, digits and "-", and begins with a letter; not ${JSON.stringify(name)}`
  )
if (!known.includes(values.template))
  fail(`create-binnacle: there is no template ${values.template}; there are: ${known.join(', ')}`)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`create-binnacle: ${folder} is not empty`)

const source = join(templates, values.template)
for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const from = join(entry.parentPath ?? entry.path, entry.name)
  // npm leaves files of this name out of packages
  const to = join(folder, from.slice(source.length)).replace(/_gitignore$/, '.gitignore')
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, readFileSync(from, 'utf8').replace(/\bNAME\b/g, name))
}
console.log(`${folder} has your project:

  cd ${positionals[0]}
  npm install
  npm test            tests in a simulated cluster
  npm run dev         the operator with a server in the process, again after each change
  npm run generate    writes config/ after changes of the operator

  docker build -t ${name}:latest .
  kubectl apply -k config/`)
