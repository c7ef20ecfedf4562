/** The kinds that kube-apiserver's scheme knows, served or not. */
import { readFileSync } from 'node:fs'

let table: Map<string, ReadonlySet<string>> | undefined

export function isRegistered(apiVersion: string, kind: string): boolean {
  if (!table) {
    const data: Record<string, string[]> = JSON.parse(
      readFileSync(new URL('./generated/registered.json', import.meta.url), 'utf8')
    )
    table = new Map(Object.entries(data).map(([version, kinds]) => [version, new Set(kinds)]))
  }
  return table.get(apiVersion)?.has(kind) ?? false
}
