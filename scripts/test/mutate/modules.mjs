/** The built modules, and which tests import which. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutantsOf } from './mutants.mjs'

export const root = fileURLToPath(new URL('../../../build', import.meta.url))
const slashed = name => name.split(sep).join('/')
const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map(slashed)
  .filter(name => name.endsWith('.js'))
const isTest = name => name.endsWith('.test.js')
const text = name => readFileSync(join(root, name), 'utf8')

const has = (name, parts) => parts.some(part => name.includes(part))
const isWanted = part => !part.startsWith('!')
const without = parts => parts.filter(part => !isWanted(part)).map(part => part.slice(1))

/** The modules with one of the parts in their path, and no part that follows a `!`: { name, source, mutants, first }, where `first` is the id of the first mutant. */
export function mutatedModules(parts) {
  let first = 0
  return modules
    .filter(name => !isTest(name) && has(name, parts.filter(isWanted)) && !has(name, without(parts)))
    .map(name => {
      const source = text(name)
      const mutants = mutantsOf(source)
      first += mutants.length
      return { name, source, mutants, first: first - mutants.length }
    })
}

let importers

function readImporters() {
  importers = new Map()
  for (const name of modules)
    for (const [, specifier] of text(name).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const imported = slashed(normalize(join(dirname(name), specifier)))
      importers.set(imported, [...(importers.get(imported) ?? []), name])
    }
}

/**
 * The tests that import a module, the nearest first: those that name it (pod-node-selector, PodNodeSelector) before others, then those
 * of the same folder, then those with fewer imports in between. Those in e2e/, which start programs, only when nothing else imports it.
 */
export function testsOf(name) {
  if (!importers) readImporters()
  const seen = new Set([name])
  const found = []
  const shared = test => {
    const [a, b] = [test.split('/'), name.split('/')]
    return a.findIndex((part, i) => part !== b[i])
  }
  for (let level = [name]; level.length > 0; ) {
    const next = level.flatMap(module => importers.get(module) ?? []).filter(module => !seen.has(module) && seen.add(module))
    found.push(...next.filter(isTest))
    level = next.filter(module => !isTest(module))
  }
  const words = basename(name, '.js').split('-').join('-?')
  const naming = new Set(found.filter(test => new RegExp(words, 'i').test(text(test))))
  const inProcess = found.filter(test => !test.startsWith('e2e/'))
  // the sort is stable, so that what is equally near by folder stays sorted by imports
  return (inProcess.length > 0 ? inProcess : found).sort((a, b) => naming.has(b) - naming.has(a) || shared(b) - shared(a))
}
