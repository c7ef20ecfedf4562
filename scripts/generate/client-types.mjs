// Writes the types of the built-in kinds for clients, derived from src/apimachinery/schema/generated/types.json and the declared kinds:
//   src/client/typed/generated/api.ts     what the server answers (Pod), takes (PodDraft) and applies (PodApply), as named interfaces
//   src/client/typed/generated/kinds.ts   the same by apiVersion and kind, with the subresources of each kind
//   node scripts/generate/client-types.mjs        after a build
//
// PodDraft and PodApply exist for types that differ from Pod. A Draft field is required where the server refuses an object without it;
// an Apply field only where it tells the items of a list apart. What the server sends back can always be sent again: Pod fits PodDraft.
import { readFileSync, writeFileSync } from 'node:fs'
import { builtinKinds } from '../../build/kinds/index.js'

const root = new URL('../../', import.meta.url)
const types = JSON.parse(readFileSync(new URL('src/apimachinery/schema/generated/types.json', root), 'utf8'))

/** Fields that the server sets where a client does not: always there in what it answers. */
const defaulted = {
  'core.v1.PodSpec': ['restartPolicy', 'dnsPolicy', 'terminationGracePeriodSeconds', 'schedulerName', 'securityContext'],
  'core.v1.PodStatus': ['phase', 'qosClass'],
  'core.v1.Container': ['imagePullPolicy', 'terminationMessagePath', 'terminationMessagePolicy'],
  'core.v1.EphemeralContainer': ['imagePullPolicy', 'terminationMessagePath', 'terminationMessagePolicy'],
  'core.v1.ContainerPort': ['protocol'],
  'core.v1.Probe': ['timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
  'core.v1.ServiceSpec': ['type', 'sessionAffinity'],
  'core.v1.ServicePort': ['protocol'],
  'core.v1.Secret': ['type'],
  'core.v1.NamespaceStatus': ['phase'],
  'core.v1.PersistentVolumeSpec': ['persistentVolumeReclaimPolicy', 'volumeMode'],
  'core.v1.PersistentVolumeStatus': ['phase'],
  'core.v1.ReplicationControllerSpec': ['replicas'],
  'apps.v1.DeploymentSpec': ['replicas', 'revisionHistoryLimit', 'progressDeadlineSeconds'],
  'apps.v1.DeploymentStrategy': ['type'],
  'apps.v1.ReplicaSetSpec': ['replicas'],
  'apps.v1.StatefulSetSpec': ['replicas', 'podManagementPolicy', 'revisionHistoryLimit'],
  'apps.v1.DaemonSetSpec': ['revisionHistoryLimit'],
  'apps.v1.DaemonSetUpdateStrategy': ['type'],
  'apps.v1.StatefulSetUpdateStrategy': ['type'],
  'batch.v1.CronJobSpec': ['concurrencyPolicy', 'suspend', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'],
  'autoscaling.v2.HorizontalPodAutoscalerSpec': ['minReplicas'],
  'networking.v1.NetworkPolicySpec': ['policyTypes'],
  'storage.v1.StorageClass': ['reclaimPolicy', 'volumeBindingMode']
}
/** Fields without which validation refuses an object, although the API's schema does not require them. */
const validated = {
  'core.v1.Container': ['image'],
  'core.v1.EphemeralContainer': ['image'],
  'core.v1.PersistentVolumeClaimSpec': ['accessModes', 'resources'],
  'core.v1.PersistentVolumeSpec': ['accessModes', 'capacity']
}
/** Enums of which Kubernetes says that values may be added. */
const open = new Set([
  'completionMode',
  'operator of batch.v1.PodFailurePolicyOnExitCodesRequirement',
  'action of batch.v1.PodFailurePolicyRule',
  'status of core.v1.ModifyVolumeStatus',
  'unhealthyPodEvictionPolicy',
  'allocationMode',
  'effect of resource'
])
const isOpen = (short, field) =>
  open.has(field) || open.has(`${field} of ${short}`) || open.has(`${field} of ${short.split('.')[0]}`)

const scalars = {
  string: 'string',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bool: 'boolean',
  bytes: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string',
  microTime: 'string',
  fieldsV1: 'Record<string, unknown>',
  raw: 'Record<string, unknown>',
  json: 'unknown'
}
const schemaLike = { schemaOrArray: ' | #[]', schemaOrBool: ' | boolean', schemaOrStringArray: ' | string[]' }
const metadata = 'meta.v1.ObjectMeta'
const schema = 'apiextensions.v1.JSONSchemaProps'

/** The type of the items of lists and maps, or of the field itself. */
const itemOf = type => type.replace(/^(\[\]|\{\})+/, '')
const referred = type => (schemaLike[itemOf(type)] ? schema : types[itemOf(type)] && itemOf(type))

// --- the kinds, and all types that they refer to ---
const kinds = builtinKinds.flatMap(kind =>
  kind.versions
    .filter(({ apiVersion }) => apiVersion === undefined)
    .map(({ name, type }) => ({ kind, apiVersion: kind.group === '' ? name : `${kind.group}/${name}`, type }))
)
const bodies = kinds.flatMap(({ kind }) => Object.values(kind.subresources?.others ?? {}).map(({ type }) => type))
const reached = new Set()
const reach = short => {
  if (reached.has(short) || short === metadata) return
  reached.add(short)
  for (const { t } of Object.values(types[short].f)) if (referred(t)) reach(referred(t))
}
for (const short of [...kinds.map(({ type }) => type), ...bodies, 'autoscaling.v1.Scale', 'meta.v1.Status']) reach(short)

const topLevel = new Map(kinds.map(({ kind, type }) => [type, kind]))
/** Types of `status` fields: only the server has to fill them. */
const statuses = new Set([...topLevel.keys()].map(short => types[short].f.status?.t).filter(Boolean))
/** The fields that tell the items of lists apart, by the type of the items. */
const keys = new Map()
for (const short of reached)
  for (const { t, l, k } of Object.values(types[short].f))
    if (l === 'map' && types[itemOf(t)]) keys.set(itemOf(t), new Set([...(keys.get(itemOf(t)) ?? []), ...k]))

// --- names: the plain one for the newest stable version of the core group, of others the one that has it alone ---
const stability = version => {
  const [, major, kind = 'z', minor = 0] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [0, 0]
  return [kind === 'z' ? 2 : kind === 'beta' ? 1 : 0, Number(major), Number(minor)]
}
const rank = short => {
  const [group, version] = short.split('.')
  const [level, major, minor] = stability(version)
  return (group === 'core' ? 1e6 : 0) + level * 1e4 + major * 100 + minor
}
const capital = text => text[0].toUpperCase() + text.slice(1)
const names = new Map()
for (const short of [...reached].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1))) {
  const [group, version, name] = short.split('.')
  const taken = new Set(names.values())
  names.set(
    short,
    [name, capital(version) + name, capital(group) + name, capital(group) + capital(version) + name].find(n => !taken.has(n))
  )
}

// --- what is required ---
const isStruct = record => types[record.t] !== undefined && !record.o
const needs = (short, seen = new Set()) => {
  if (seen.has(short) || short === metadata) return false
  return Object.entries(types[short].f).some(([field, record]) => isNeeded(short, field, record, new Set([...seen, short])))
}
/** Whether the server refuses an object without the field. */
function isNeeded(short, field, record, seen) {
  if (validated[short]?.includes(field)) return true
  if (record.d !== undefined || defaulted[short]?.includes(field) || field === 'status') return false
  if (isStruct(record) && statuses.has(short)) return false
  return Boolean(record.r) || (isStruct(record) && needs(record.t, seen))
}
const isAlways = (short, field, record) =>
  (record.a && record.t !== 'raw') ||
  isStruct(record) ||
  record.r ||
  defaulted[short]?.includes(field) ||
  isNeeded(short, field, record, new Set([short]))

const isKey = (short, field, record) => keys.get(short)?.has(field) && record.d === undefined

// --- the three forms of a type ---
const forms = { answer: '', draft: 'Draft', apply: 'Apply' }
const memo = new Map()
/** Whether a form differs from the one before: drafts from answers, applied ones from drafts. */
function differs(short, form, seen = new Set()) {
  if (form === 'answer') return false
  const key = `${short} ${form}`
  if (memo.has(key)) return memo.get(key)
  if (seen.has(short)) return false
  const before = form === 'draft' ? 'answer' : 'draft'
  const result =
    topLevel.has(short) ||
    Object.entries(types[short].f).some(([field, record]) => {
      const below = referred(record.t)
      if (below === metadata) return field !== 'metadata' || form === 'draft'
      if (isRequired(short, field, record, form) !== isRequired(short, field, record, before)) return true
      if (form === 'draft' && /quantity/.test(record.t)) return true
      return below && formOf(record, form) === form && differs(below, form, new Set([...seen, short]))
    })
  // what was found while another type was under way may be half of the truth
  if (result || seen.size === 0) memo.set(key, result)
  return result
}
function isRequired(short, field, record, form) {
  if (form === 'answer') return Boolean(isAlways(short, field, record))
  return form === 'draft' ? isNeeded(short, field, record, new Set([short])) : Boolean(isKey(short, field, record))
}
/** The items of atomic lists and maps are applied whole. A kind within another is a template, which has no uid. */
const formOf = (record, form) =>
  topLevel.has(itemOf(record.t)) || (form === 'apply' && (record.l === 'atomic' || record.m === 'atomic')) ? 'draft' : form
function nameOf(short, form) {
  if (form === 'apply' && !differs(short, 'apply')) return nameOf(short, 'draft')
  if (form === 'draft' && !differs(short, 'draft')) return names.get(short)
  return names.get(short) + forms[form]
}

function textOf(type, short, field, record, form) {
  if (type.startsWith('[]')) {
    const item = textOf(type.slice(2), short, field, record, form)
    return /[| ]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type.startsWith('{}')) return `Record<string, ${textOf(type.slice(2), short, field, record, form)}>`
  if (record.e && type === 'string') {
    const values = record.e.map(value => `'${value}'`).join(' | ')
    return isOpen(short, field) ? `${values} | (string & {})` : values
  }
  if (type === 'quantity' && form !== 'answer') return 'number | string'
  if (type === metadata) return form === 'answer' ? 'TemplateMetadata' : 'MetadataDraft'
  if (schemaLike[type]) {
    const name = nameOf(schema, form)
    return name + schemaLike[type].replace('#', name)
  }
  return types[type] ? nameOf(type, formOf(record, form)) : scalars[type]
}

function fieldOf(short, field, record, form) {
  const kind = topLevel.get(short)
  const key = /^[A-Za-z_]\w*$/.test(field) ? field : JSON.stringify(field)
  if (kind && (field === 'kind' || field === 'apiVersion')) {
    const value = field === 'kind' ? kind.kind : kinds.find(({ type }) => type === short).apiVersion
    return form === 'answer' ? `  ${key}: '${value}'` : `  ${key}?: '${value}' | undefined`
  }
  if (kind && field === 'metadata') {
    if (kind.virtual || kind.computed)
      return form === 'answer' ? '  metadata: MetadataDraft' : '  metadata?: MetadataDraft | undefined'
    if (form === 'apply') return '  metadata: AppliedMetadata'
    return form === 'draft'
      ? '  metadata: NewMetadata'
      : `  metadata: ${kind.namespaced ? 'NamespacedMetadata' : 'ObjectMetadata'}`
  }
  // writes pass over it: it has a subresource of its own, which takes any part of it
  if (kind && field === 'status' && form !== 'answer') return `  status?: ${nameOf(record.t, 'answer')} | undefined`
  const required = isRequired(short, field, record, form)
  const text = textOf(record.t, short, field, record, form)
  // what Go writes as null: empty lists that need no items, and times that are not set
  const isNull =
    (record.a && !record.r && /^(\[\]|\{\})/.test(record.t)) ||
    (/^(time|microTime)$/.test(record.t) && !record.o) ||
    (record.a && record.o && !record.r)
  const wide = text + (isNull ? ' | null' : '')
  return required ? `  ${key}: ${wide}` : `  ${key}?: ${wide} | undefined`
}

const header = '// Generated by scripts/generate/client-types.mjs. Do not edit.\n'
/** The drafts and applied forms that something refers to. */
const referredForms = new Set()
const refer = (short, form) => {
  if (form !== 'answer' && !differs(short, form)) form = form === 'apply' && differs(short, 'draft') ? 'draft' : 'answer'
  if (referredForms.has(`${short} ${form}`)) return
  referredForms.add(`${short} ${form}`)
  for (const [field, record] of Object.entries(types[short].f)) {
    const below = referred(record.t)
    if (below && below !== metadata && !(topLevel.has(short) && field === 'status')) refer(below, formOf(record, form))
  }
}
for (const { type } of kinds) for (const form of Object.keys(forms)) refer(type, form)
for (const type of [...bodies, 'autoscaling.v1.Scale']) refer(type, 'draft')
const sorted = [...reached].sort((a, b) => (names.get(a) < names.get(b) ? -1 : 1))
const interfaces = []
for (const form of Object.keys(forms))
  for (const short of sorted) {
    if (form !== 'answer' && !referredForms.has(`${short} ${form}`)) continue
    const fields = Object.entries(types[short].f).map(([field, record]) => fieldOf(short, field, record, form))
    const name = names.get(short) + forms[form]
    interfaces.push(
      fields.length ? `export interface ${name} {\n${fields.join('\n')}\n}` : `export type ${name} = Record<string, never>`
    )
  }
const metas = ['AppliedMetadata', 'MetadataDraft', 'NamespacedMetadata', 'NewMetadata', 'ObjectMetadata', 'TemplateMetadata']
writeFileSync(
  new URL('src/client/typed/generated/api.ts', root),
  `${header}import type { ${metas.join(', ')} } from '../metadata.js'\n\n${interfaces.join('\n\n')}\n`
)

// --- by apiVersion and kind ---
const used = new Set()
const use = (short, form) => {
  const name = nameOf(short, form)
  used.add(name)
  return name
}
/** The subresources of a kind, each with the client for it. */
function subresourcesOf({ kind, type }) {
  const of = (...args) => `SubresourceClient<${args.join(', ')}>`
  const { status, scale, others = {} } = kind.subresources ?? {}
  const found = []
  if (status) found.push(['status', of(use(type, 'answer'))])
  if (scale) found.push(['scale', of(use('autoscaling.v1.Scale', 'answer'))])
  for (const [name, { type: body, connects }] of Object.entries(others)) {
    if (name === 'log') found.push([name, 'TextClient'])
    else if (connects) continue
    else if (body === type) found.push([name, of(use(type, 'answer'))])
    // what answers such a request says that it is done, and has no fields of the body
    else found.push([name, of(name === 'token' ? use(body, 'answer') : use('meta.v1.Status', 'answer'), use(body, 'draft'))])
  }
  return found.sort().map(([name, text]) => `${name}: ${text}`)
}
const byVersion = new Map()
for (const kind of kinds) byVersion.set(kind.apiVersion, [...(byVersion.get(kind.apiVersion) ?? []), kind])
const versions = [...byVersion].sort(([a], [b]) => (a < b ? -1 : 1))
const table = line =>
  versions
    .map(([version, list]) => {
      const lines = list
        .sort((a, b) => (a.kind.kind < b.kind.kind ? -1 : 1))
        .map(each => `    ${each.kind.kind}: ${line(each)}\n`)
      return `  '${version}': {\n${lines.join('')}  }\n`
    })
    .join('')
const objects = table(({ type }) => use(type, 'answer'))
const clients = table(each => {
  const subresources = subresourcesOf(each)
  const forms = [use(each.type, 'answer'), use(each.type, 'draft'), use(each.type, 'apply')]
  return `BuiltinTypes<${forms.join(', ')}, ${subresources.length ? `{ ${subresources.join('; ')} }` : 'NoSubresources'}>`
})
writeFileSync(
  new URL('src/client/typed/generated/kinds.ts', root),
  `${header}import type { BuiltinTypes, NoSubresources, SubresourceClient, TextClient } from '../kind-types.js'
import type {\n${[...used]
    .sort()
    .map(name => `  ${name}`)
    .join(',\n')}\n} from './api.js'

/**
 * The types of the built-in kinds, by apiVersion and kind.
 *
 * @example
 * type Pod = BuiltinKinds['v1']['Pod']
 */
export interface BuiltinKinds {
${objects}}

/**
 * By apiVersion and kind, what clients of built-in kinds take and return.
 *
 * @example
 * type PodDraft = BuiltinClients['v1']['Pod']['create']
 */
export interface BuiltinClients {
${clients}}
`
)
console.log(`${reached.size} types, ${interfaces.length} interfaces, ${kinds.length} kinds`)
