/** Writes the folder in which envtest and setup-envtest look for their programs. */
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { delimiter, join, posix, win32 } from 'node:path'
import { kubernetesVersion } from '../../util/kubernetes-version.js'
import { userCache } from '../../util/loading/user-cache.js'
import { fileError } from '../../util/user-error.js'
import { helpFile, type Installation, kubectlScript, programScript } from './scripts.js'

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Assets extends Installation {
  /** The root of a store of setup-envtest (its --bin-dir). */
  readonly directory: string
  /** Flags that `kube-apiserver` adds to those of the test. */
  readonly flags: readonly string[]
  /** The help of `kube-apiserver`, which envtest reads. */
  readonly help: string
}

export const thisMachine: Machine = { platform: process.platform, arch: process.arch, env: process.env }

/** Go's names of platforms and architectures, where Node's differ. */
const goNames = new Map([
  ['win32', 'windows'],
  ['sunos', 'solaris'],
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['ppc64', 'ppc64le']
])
const goName = (name: string): string => goNames.get(name) ?? name

/** Returns the folder within a store of setup-envtest: `k8s/1.37.2-linux-amd64`. */
export const assetsFolder = ({ platform, arch }: Machine): string =>
  join('k8s', `${kubernetesVersion.slice(1)}-${goName(platform)}-${goName(arch)}`)

/**
 * The folder for `binnacle envtest` without DIR: in the user's cache. The name depends on the version and on what the scripts say, so that
 * another installation or other flags do not change a folder that tests use.
 */
export function defaultDirectory(version: string, contents: readonly string[], { platform, env }: Machine): string {
  const hash = createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 8)
  return (platform === 'win32' ? win32 : posix).join(userCache(platform, env), 'binnacle', 'envtest', `${version}-${hash}`)
}

/** Writes the programs and returns the folder that KUBEBUILDER_ASSETS has to name. Throws a UserError when the folder cannot be written. */
export function writeAssets(assets: Assets, machine: Machine): string {
  const folder = join(assets.directory, assetsFolder(machine))
  const { platform } = machine
  const suffix = platform === 'win32' ? '.cmd' : ''
  try {
    mkdirSync(folder, { recursive: true })
    write(join(folder, helpFile), assets.help)
    write(join(folder, `kube-apiserver${suffix}`), programScript('kube-apiserver', assets, assets.flags, platform))
    write(join(folder, `etcd${suffix}`), programScript('etcd', assets, [], platform))
    const kubectl = findKubectl(machine, folder)
    if (kubectl === undefined || platform === 'win32') write(join(folder, `kubectl${suffix}`), kubectlScript(kubectl, platform))
    else replace(join(folder, 'kubectl'), path => symlinkSync(kubectl, path))
  } catch (error) {
    throw fileError(folder, error)
  }
  return folder
}

/** Writes a program, unless it is there already: a test may be running it. */
function write(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) return
  } catch {
    // It is not there yet.
  }
  replace(path, temporary => writeFileSync(temporary, text, { mode: 0o755 }))
}

/** Replaces a file at once, so that a test that starts it meanwhile finds the former or the new one. */
function replace(path: string, make: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}`
  rmSync(temporary, { force: true })
  make(temporary)
  renameSync(temporary, path)
}

/** Finds the kubectl in PATH, except the one in the folder itself. */
function findKubectl({ platform, env }: Machine, folder: string): string | undefined {
  const path = env.PATH ?? env.Path ?? ''
  for (const directory of path.split(delimiter)) {
    if (directory === '' || sameFolder(directory, folder)) continue
    const file = join(directory, platform === 'win32' ? 'kubectl.exe' : 'kubectl')
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}

function sameFolder(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}
