// The bill of materials of the package, in CycloneDX: what npm installs with it, and what is in its modules.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const mark = name => ({ name: `cdx:npm:package:${name}`, value: 'true' })
const isMarked = (component, name) => component.properties?.some(property => property.name === mark(name).name)

/** The packages of LICENSES.txt, as "tar@7.5.23". */
export const bundledPackages = root =>
  [...readFileSync(join(root, 'dist/bundle/LICENSES.txt'), 'utf8').matchAll(/^(@?[\w./-]+@\d[\w.-]*)$/gm)].map(([, id]) => id)

/**
 * Returns the bill of the package in `root`, which has been built. npm writes it from package-lock.json; packages that are used for development alone
 * are left out, except those that the build joins, which are marked as bundled.
 */
export function billOfMaterials(root) {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32'
  })
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`)
  const bill = JSON.parse(stdout)
  const bundled = new Set(bundledPackages(root))
  const components = bill.components
    .map(component => {
      if (!bundled.delete(`${component.name}@${component.version}`)) return component
      const properties = component.properties.filter(property => property.name !== mark('development').name)
      return { ...component, properties: [...properties, mark('bundled')] }
    })
    .filter(component => !isMarked(component, 'development'))
  if (bundled.size > 0) throw new Error(`package-lock.json does not have ${[...bundled].join(', ')}: npm install, npm run build`)
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map(component => component['bom-ref'])])
  return {
    ...bill,
    // npm takes the name of the folder
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: 'binnacle' } },
    components,
    dependencies: bill.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))
  }
}
