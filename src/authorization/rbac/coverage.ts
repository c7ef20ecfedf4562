/** What of some rules goes beyond others, and how it is told. */
import type { PolicyRule } from '../../api/generated/rbac-v1.js'
import { compareUtf8, goQuote } from '../../util/go-format.js'
import { urlCovers } from './rules.js'

/** One verb on one resource of one group, with one name or for all; or one verb on one path. */
type Atom =
  | { readonly verb: string; readonly group: string; readonly resource: string; readonly name: string | undefined }
  | { readonly verb: string; readonly url: string }

/** The parts of `rules` that no single one of `owned` covers. */
export const uncovered = (owned: readonly PolicyRule[], rules: readonly PolicyRule[]): PolicyRule[] =>
  rules
    .flatMap(atomsOf)
    .filter(atom => !owned.some(rule => covers(rule, atom)))
    .map(ruleOf)

function atomsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Atom[] {
  const names = resourceNames?.length ? resourceNames : [undefined]
  const atoms: Atom[] = []
  for (const group of apiGroups ?? [])
    for (const resource of resources ?? [])
      for (const verb of verbs ?? []) for (const name of names) atoms.push({ verb, group, resource, name })
  for (const url of nonResourceURLs ?? []) for (const verb of verbs ?? []) atoms.push({ verb, url })
  return atoms
}

const ruleOf = (atom: Atom): PolicyRule =>
  'url' in atom
    ? { verbs: [atom.verb], nonResourceURLs: [atom.url] }
    : {
        verbs: [atom.verb],
        apiGroups: [atom.group],
        resources: [atom.resource],
        ...(atom.name === undefined ? {} : { resourceNames: [atom.name] })
      }

function covers(owned: PolicyRule, atom: Atom): boolean {
  if (!hasOrAll(owned.verbs, atom.verb)) return false
  if ('url' in atom) return owned.nonResourceURLs?.some(url => urlCovers(url, atom.url)) ?? false
  const { group, resource, name } = atom
  return hasOrAll(owned.apiGroups, group) && coversResource(owned.resources, resource) && coversName(owned.resourceNames, name)
}

const hasOrAll = (values: readonly string[] | null | undefined, value: string): boolean =>
  !!values && (values.includes('*') || values.includes(value))

function coversResource(resources: readonly string[] | undefined, resource: string): boolean {
  if (hasOrAll(resources, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && !!resources?.includes(`*${resource.slice(slash)}`)
}

const coversName = (names: readonly string[] | undefined, name: string | undefined): boolean =>
  !names?.length || (name !== undefined && names.includes(name))

/** A line for each resource (and name) and each path, in the order of their text; of a resource with all its verbs. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const byResource = new Map<string, PolicyRule>()
  const lines = new Set<string>()
  for (const rule of rules) {
    if (rule.nonResourceURLs) {
      lines.add(describe(rule))
      continue
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames])
    const verbs = byResource.get(key)?.verbs ?? []
    byResource.set(key, { ...rule, verbs: [...verbs, ...rule.verbs!] })
  }
  for (const rule of byResource.values()) lines.add(describe(rule))
  return [...lines].sort(compareUtf8).join('\n')
}

function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs
  })
  return `{${parts.flatMap(([name, values]) => (values?.length ? `${name}:${quoted(values)}` : [])).join(', ')}}`
}

/** %q of a list. */
export const quoted = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`
