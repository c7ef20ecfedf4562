/** A user who gives a policy parameters must be allowed to read them. */
import type { ParamKind, ParamRef } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { PRIVILEGED_GROUP } from '../../apimachinery/request/privileged-group.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import type { Lookup } from '../../registry/lookup.js'
import type { StrategyContext } from '../../registry/strategy-context.js'
import { sortedKeys } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'

interface Policy {
  spec: { paramKind?: ParamKind | undefined }
}

interface Binding {
  spec: { policyName?: string | undefined; paramRef?: ParamRef | undefined }
}

export async function validateParamKindAccess(
  { spec: { paramKind } }: Policy,
  old: Policy | undefined,
  errors: FieldErrors,
  { user, services }: StrategyContext
): Promise<void> {
  if (!paramKind || equalJson(paramKind, old?.spec.paramKind) || user.groups.includes(PRIVILEGED_GROUP)) return
  const { problem: _, ...what } = resolve(paramKind, services.registry)
  const question = aboutResource({ user, verb: 'get', namespace: '*', name: '*', ...what })
  const { allowed, error } = await services.authorizer.authorize(question)
  if (error !== undefined) return void errors.forbidden('spec.paramKind', error)
  if (allowed) return
  const { kind = '', apiVersion = '' } = paramKind
  const of = `the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`
  errors.forbidden('spec.paramKind', `user ${userText(user)} must have "get" permission on all objects of ${of}`)
}

/** Throws unless the user may read the parameters. `policies` is the resource of the binding's policy. */
export async function validateParamRefAccess(
  policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies',
  { spec: { policyName = '', paramRef } }: Binding,
  errors: FieldErrors,
  { user, services }: StrategyContext
): Promise<void> {
  if (!paramRef || user.groups.includes(PRIVILEGED_GROUP)) return
  const { registry, authorizer } = services
  const resource = registry.resource('admissionregistration.k8s.io', policies)
  const policy = resource.get('', policyName)
  const paramKind = policy && (resource.peek(policy) as Policy).spec.paramKind
  const { problem, ...what } = paramKind ? resolve(paramKind, registry) : everything
  const { name = '', namespace = '' } = paramRef
  const verb = name === '' ? 'list' : 'get'
  const question = aboutResource({ user, verb, namespace, name, ...what })
  const { allowed, error } = await authorizer.authorize(question)
  if (error !== undefined) return void errors.forbidden('spec.paramRef', `failed to authorize request: ${error}`)
  if (allowed) return
  const who = userText(user)
  const tooMuch = `to determine minimum required permissions and user ${who} does not have "${verb}" permission for all groups, versions and resources`
  // kube-apiserver swaps user and verb in the error for mutating policies
  const [first, second] = policies === 'validatingadmissionpolicies' ? [who, verb] : [verb, who]
  const why = !policy
    ? `unable to get policy ${policyName} ${tooMuch}`
    : problem
      ? `unable to ${problem} paramKind &{${paramKind?.apiVersion ?? ''} ${paramKind?.kind ?? ''}} ${tooMuch}`
      : `user ${first} does not have "${second}" permission on the object referenced by paramRef`
  errors.forbidden('spec.paramRef', why)
}

interface Resolved {
  readonly group: string
  readonly version: string
  readonly resource: string
  /** The step at which the kind failed. */
  readonly problem?: 'parse' | 'resolve'
}

const everything: Resolved = { group: '*', version: '*', resource: '*' }

/** Finds the resource of a kind of parameters. For a kind that cannot be resolved, the user needs permission for everything. */
function resolve({ apiVersion = '', kind }: ParamKind, registry: Lookup): Resolved {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return { ...everything, problem: 'parse' }
  const [group, version] = parts.length === 2 ? (parts as [string, string]) : ['', apiVersion]
  for (const { group: other, versions, kind: definition, resource } of registry.served())
    if (other === group && versions.has(version) && definition.kind === kind) return { group, version, resource }
  return { group, version, resource: '*', problem: 'resolve' }
}

/** Formats the user as Go prints kube-apiserver's struct. */
function userText({ name, uid = '', groups, extra = {} }: UserInfo): string {
  const pairs = sortedKeys(extra).map(key => `${key}:[${extra[key]!.join(' ')}]`)
  return `&{${name} ${uid} [${groups.join(' ')}] map[${pairs.join(' ')}]}`
}
