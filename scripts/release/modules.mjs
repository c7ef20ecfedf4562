/** The Go modules of a Kubernetes release, which the go command fetches into its cache. */
import { execFileSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'

const staging = [
  'api',
  'apiextensions-apiserver',
  'apimachinery',
  'apiserver',
  'client-go',
  'component-base',
  'controller-manager',
  'kube-aggregator',
  'metrics'
]

/** 1.38.0-alpha.0 → 0.38.0-alpha.0: the version of the other modules. */
export const stagingVersion = release => release.replace(/^1\./, '0.')

/** Fetches them and returns the folder that has all of them, `kubernetes@v1.38.0` and so on. */
export function fetchModules(release) {
  const wanted = [`k8s.io/kubernetes@v${release}`, ...staging.map(name => `k8s.io/${name}@v${stagingVersion(release)}`)]
  const printed = execFileSync('go', ['mod', 'download', '-json', ...wanted], {
    // where no go.mod changes what is asked for
    cwd: os.tmpdir(),
    encoding: 'utf8',
    maxBuffer: 1 << 24
  })
  const [, folder] = /"Dir": ("(?:[^"\\]|\\.)*kubernetes@[^"]*")/.exec(printed) ?? []
  if (!folder) throw new Error(`the go command did not say where k8s.io/kubernetes@v${release} is`)
  return path.dirname(JSON.parse(folder))
}

/** Runs the reader of Go source, and returns what it found. `folders` are paths below the modules by the name they have in the answer. */
export function readGo(mode, folders) {
  const given = Object.entries(folders).map(([name, folder]) => `${name}=${folder}`)
  const printed = execFileSync('go', ['run', '.', mode, ...given], {
    cwd: path.join(import.meta.dirname, 'go'),
    encoding: 'utf8',
    maxBuffer: 1 << 28
  })
  return JSON.parse(printed)
}

/** Where a package of a release lies: `apiserver/pkg/features`. */
export function packageFolder(modules, release, name) {
  const [module, ...rest] = name.split('/')
  const version = module === 'kubernetes' ? release : stagingVersion(release)
  return path.join(modules, `${module}@v${version}`, ...rest)
}
