/** The kinds that kube-apiserver's scheme knows, served or not. */
import { readFileSync } from 'node:fs'

let table: Map<string, ReadonlySet<string>> | undefined

export function isRegistered(apiVersion: string, kind: string): boolean {
  return registered().get(apiVersion)?.has(kind) ?? false
}

/** Returns the versions of a group that have a kind: `v1`. */
export function registeredVersions(group: string, kind: string): string[] {
  return [...registered()].flatMap(([apiVersion, kinds]) => {
    const [version = '', its = ''] = apiVersion.split('/').reverse()
    return its === group && kinds.has(kind) ? [version] : []
  })
}

function registered(): ReadonlyMap<string, ReadonlySet<string>> {
  if (!table) {
    const data: Record<string, string[]> = JSON.parse(
      readFileSync(new URL('./generated/registered.json', import.meta.url), 'utf8')
    )
    table = new Map(Object.entries(data).map(([version, kinds]) => [version, new Set(kinds)]))
  }
  return table
}
