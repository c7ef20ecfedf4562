import type { Volume, VolumeProjection } from '../../../api/generated/core-v1.js'
import { goQuote } from '../../../util/go-format.js'

interface Source {
  readonly path: string
  /** The source of the file, for volumes with several sources. */
  readonly source: string
}

/** Warns of files in a volume whose paths collide. */
export function overlappingPaths(volumes: readonly Volume[], out: string[]): void {
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    const warn = (what: string, sources: readonly Source[]) => {
      for (const overlap of overlaps(sources)) out.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`)
    }
    if (configMap?.items) warn(`ConfigMap ${goQuote(configMap.name ?? '')}`, plain(configMap.items))
    if (secret?.items) warn(`Secret ${goQuote(secret.secretName ?? '')}`, plain(secret.items))
    if (downwardAPI?.items) warn('DownwardAPI', plain(downwardAPI.items))
    if (!projected?.sources) continue
    for (const source of projected.sources) {
      // a source whose feature gate is off is empty
      if (Object.keys(source).length === 0) out.push(`volume ${goQuote(name)} (Projected) has no sources provided`)
    }
    warn('Projected', projected.sources.flatMap(projectedPaths))
  }
}

/** Cuts slashes only from the end, without a pattern: a path may have a million slashes elsewhere. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

const plain = (items: readonly { path: string }[], source = ''): Source[] =>
  items.map(({ path }) => ({ path: withoutSlashes(path), source }))

const certificateFiles = [
  ['certificateChainPath', 'chain'],
  ['keyPath', 'key'],
  ['credentialBundlePath', 'credential bundle']
] as const

function projectedPaths(projection: VolumeProjection): Source[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection
  if (configMap?.items) return plain(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`)
  if (secret?.items) return plain(secret.items, `Secret ${goQuote(secret.name ?? '')}`)
  if (downwardAPI?.items) return plain(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken) return plain([serviceAccountToken], 'ServiceAccountToken')
  if (clusterTrustBundle) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? ''
    return plain([clusterTrustBundle], `ClusterTrustBundle ${goQuote(name)}`)
  }
  return certificateFiles.flatMap(([field, what]) => {
    const path = podCertificate?.[field]
    return path ? plain([{ path }], `PodCertificate ${what}`) : []
  })
}

const text = ({ path, source }: Source) => (source === '' ? goQuote(path) : `${goQuote(path)} (${source})`)
const isIn = (inner: Source, outer: Source) => `${inner.path}/`.startsWith(`${outer.path}/`)

function overlaps(sources: readonly Source[]): string[] {
  const found: string[] = []
  sources.forEach((source, i) => {
    if (source.path === '') return
    for (const other of sources.slice(0, i)) {
      if (other.path !== '' && (isIn(source, other) || isIn(other, source))) found.push(`${text(source)} with ${text(other)}`)
    }
  })
  return found
}
