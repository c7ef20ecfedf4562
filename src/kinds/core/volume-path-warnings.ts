import type { Volume, VolumeProjection } from '../../api/generated/core-v1.js'
import { goQuote } from '../../util/go-format.js'

interface Source {
  readonly path: string
  /** What puts it there, where there may be several. */
  readonly source: string
}

/** Files of volumes that lie in each other's places. */
export function overlappingPaths(volumes: readonly Volume[]): string[] {
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const warn = (what: string, sources: readonly Source[]) =>
      overlaps(sources).map(overlap => `volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`)
    // what is switched off leaves an empty source
    const empty = (projected?.sources ?? []).filter(source => Object.keys(source).length === 0)
    return [
      ...warn(`ConfigMap ${goQuote(configMap?.name ?? '')}`, plain(configMap?.items)),
      ...warn(`Secret ${goQuote(secret?.secretName ?? '')}`, plain(secret?.items)),
      ...warn('DownwardAPI', plain(downwardAPI?.items)),
      ...empty.map(() => `volume ${goQuote(name)} (Projected) has no sources provided`),
      ...warn('Projected', (projected?.sources ?? []).flatMap(projectedPaths))
    ]
  })
}

const plain = (items: readonly { path: string }[] | undefined, source = ''): Source[] =>
  (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }))

function projectedPaths({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): Source[] {
  if (configMap?.items) return plain(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`)
  if (secret?.items) return plain(secret.items, `Secret ${goQuote(secret.name ?? '')}`)
  if (downwardAPI?.items) return plain(downwardAPI.items, 'DownwardAPI')
  return serviceAccountToken ? plain([serviceAccountToken], 'ServiceAccountToken') : []
}

const text = ({ path, source }: Source) => (source === '' ? goQuote(path) : `${goQuote(path)} (${source})`)
const isIn = (inner: Source, outer: Source) => `${inner.path}/`.startsWith(`${outer.path}/`)

function overlaps(sources: readonly Source[]): string[] {
  return sources.flatMap((source, i) =>
    sources
      .slice(0, i)
      .filter(other => source.path !== '' && other.path !== '' && (isIn(source, other) || isIn(other, source)))
      .map(other => `${text(source)} with ${text(other)}`)
  )
}
