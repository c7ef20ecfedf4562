// Writes the public types of the library, as they are in dist/, to etc/api/: one file for each entry, without comments, sorted by name. A change of
// what users compile against is a change of these files, which a reviewer sees.
//   node scripts/release/api-report.mjs           writes the files
//   node scripts/release/api-report.mjs --check   fails when they are not what dist/ has
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'etc/api')
const entries = ['index', 'client', 'operator', 'testing']

const printer = ts.createPrinter({ removeComments: true })
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** The exported names of `export { A, type B } from './c.js'` as lines, sorted; one for each name, so that a new one is one line of a diff. */
function exportedNames({ exportClause, isTypeOnly, moduleSpecifier }) {
  const from = moduleSpecifier ? ` from '${moduleSpecifier.text}'` : ''
  return exportClause.elements.map(({ name, propertyName, isTypeOnly: isType }) => {
    const original = propertyName ? `${propertyName.text} as ` : ''
    return `export ${isTypeOnly || isType ? 'type ' : ''}{ ${original}${name.text} }${from}`
  })
}

/** The name that a declaration has; an overload has that of the others, and keeps its place beside them. */
const declaredName = node => node.name?.text ?? node.declarationList?.declarations[0].name.text

export function reportOf(name, text) {
  const source = ts.createSourceFile(`${name}.d.ts`, text, ts.ScriptTarget.Latest, true)
  const exported = []
  const imports = []
  const declarations = []
  for (const node of source.statements) {
    if (ts.isExportDeclaration(node)) exported.push(...exportedNames(node))
    else {
      const code = printer.printNode(ts.EmitHint.Unspecified, node, source)
      const declared = declaredName(node)
      if (ts.isImportDeclaration(node)) imports.push(code)
      else if (declared === undefined) throw new Error(`${name}.d.ts: what does this declare?\n${code}`)
      else declarations.push([declared, code])
    }
  }
  declarations.sort(([a], [b]) => byName(a, b))
  return [
    `// The public types of ${name === 'index' ? 'binnacle' : `binnacle/${name}`}. Written by scripts/release/api-report.mjs.`,
    ...imports.sort(byName),
    ...exported.sort(byName),
    ...declarations.map(([, code]) => code),
    ''
  ].join('\n')
}

const isCheck = process.argv.includes('--check')
const changed = []
mkdirSync(folder, { recursive: true })
for (const name of entries) {
  const report = reportOf(name, readFileSync(join(root, `dist/${name}.d.ts`), 'utf8'))
  const file = join(folder, `${name}.d.ts`)
  if (!isCheck) writeFileSync(file, report)
  else if (report !== read(file)) changed.push({ name, difference: firstDifference(read(file), report) })
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Where two texts differ first, as the lines of both. */
function firstDifference(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const line = now.findIndex((text, index) => text !== old[index])
  const at = line === -1 ? now.length : line
  return `line ${at + 1}\n- ${old[at] ?? ''}\n+ ${now[at] ?? ''}`
}

if (changed.length > 0) {
  for (const { name, difference } of changed)
    console.error(`etc/api/${name}.d.ts is not what dist/${name}.d.ts has: ${difference}`)
  console.error(`
The public types of the library have changed. If that is meant: npm run build, node scripts/release/api-report.mjs, and commit etc/api/ with a line in
CHANGELOG.md. What no longer compiles for users belongs under Breaking, and needs a new major version after 1.0.0.`)
  process.exit(1)
}
