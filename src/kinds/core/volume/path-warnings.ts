import type { Volume, VolumeProjection } from '../../../apimachinery/api/generated/core-v1.js'
import { mostWarnings } from '../../../apimachinery/request/warnings.js'
import { goQuote } from '../../../util/go-format.js'

interface Source {
  readonly path: string
  /** The source of the file, for volumes with several sources. */
  readonly source: string
}

/** Warns of files in a volume whose paths collide. Ends with as many pairs as an answer could show if all of them differed. */
export function overlappingPaths(volumes: readonly Volume[], out: string[]): void {
  let left = mostWarnings
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    const warn = (what: string, sources: readonly Source[]) => {
      if (left === 0) return
      const found = overlaps(sources, left)
      left -= found.length
      for (const overlap of found) out.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`)
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

/** A place in a volume, with the sources that have a file there. */
interface Place {
  /** The path with a slash at its end: places within this one begin with it. */
  readonly key: string
  readonly sources: number[]
  readonly outer: Place | undefined
  readonly rank: number
  /** The rank after the last place within this one. */
  end: number
}

/** Returns the places in the order of their keys, in which the places within a place follow it. */
function placesOf(sources: readonly Source[]): Place[] {
  const byKey = new Map<string, number[]>()
  sources.forEach(({ path }, i) => {
    if (path === '') return
    const key = `${path}/`
    const same = byKey.get(key)
    if (same) same.push(i)
    else byKey.set(key, [i])
  })
  const around: Place[] = []
  const places = [...byKey.keys()].sort().map((key, rank): Place => {
    while (around.length > 0 && !key.startsWith(around.at(-1)!.key)) around.pop()!.end = rank
    const place = { key, sources: byKey.get(key)!, outer: around.at(-1), rank, end: byKey.size }
    around.push(place)
    return place
  })
  return places
}

/** Each source with the earlier ones that it overlaps, `most` pairs. Does not look at each pair: a volume may have 30,000 paths. */
function overlaps(sources: readonly Source[], most: number): string[] {
  const places = placesOf(sources)
  const placeOf = new Map<number, Place>()
  for (const place of places) for (const source of place.sources) placeOf.set(source, place)
  const found: string[] = []
  for (const [i, source] of sources.entries()) {
    const place = placeOf.get(i)
    if (!place) continue
    for (const other of meeting(place, places, i)) {
      found.push(`${text(source)} with ${text(sources[other]!)}`)
      if (found.length >= most) return found
    }
  }
  return found
}

/** Returns the sources before the `i`th whose place is around this one, the same, or within it, in their order. */
function meeting(place: Place, places: readonly Place[], i: number): number[] {
  const met: number[] = []
  const look = ({ sources }: Place) => {
    for (const source of sources) {
      if (source >= i) break
      met.push(source)
    }
  }
  for (let outer = place.outer; outer; outer = outer.outer) look(outer)
  for (let rank = place.rank; rank < place.end; rank++) look(places[rank]!)
  return met.sort((a, b) => a - b)
}
