/**
 * What each plugin reads from its folder of manifests (staticManifestsDir, KEP-5793), and which rules go beyond those of the API.
 */
import type {
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
  ValidatingWebhook
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import type { EnabledGates } from '../../apimachinery/validation/field.js'
import { mutatingAdmissionPolicy } from '../../kinds/admissionregistration/mutating-admission-policy.js'
import { mutatingAdmissionPolicyBinding } from '../../kinds/admissionregistration/mutating-admission-policy-binding.js'
import { mutatingWebhookConfiguration } from '../../kinds/admissionregistration/mutating-webhook-configuration.js'
import { staticSuffix } from '../../kinds/admissionregistration/static-names.js'
import { validatingAdmissionPolicy } from '../../kinds/admissionregistration/validating-admission-policy.js'
import { validatingAdmissionPolicyBinding } from '../../kinds/admissionregistration/validating-admission-policy-binding.js'
import { validatingWebhookConfiguration } from '../../kinds/admissionregistration/validating-webhook-configuration.js'
import type { KindDefinition, KubeObject } from '../../registry/kind.js'
import { compareUtf8, goQuote } from '../../util/go-format.js'
import { decodeManifest, type Manifest } from './decode.js'
import type { ManifestFolder } from './folder.js'

export const pluginsWithManifests = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook'
] as const

export type PluginWithManifests = (typeof pluginsWithManifests)[number]

/** The objects of each kind, by its plural, sorted by name. */
export type Manifests = Readonly<Record<string, readonly KubeObject[]>>

interface Accepted {
  readonly kinds: readonly KindDefinition[]
  /** Throws a ConfigError for an object that manifests may not have. */
  check(manifest: Manifest, file: string): void
}

const accepted: Readonly<Record<PluginWithManifests, Accepted>> = {
  MutatingAdmissionPolicy: { kinds: [mutatingAdmissionPolicy, mutatingAdmissionPolicyBinding], check: checkPolicy },
  MutatingAdmissionWebhook: { kinds: [mutatingWebhookConfiguration], check: checkWebhooks },
  ValidatingAdmissionPolicy: { kinds: [validatingAdmissionPolicy, validatingAdmissionPolicyBinding], check: checkPolicy },
  ValidatingAdmissionWebhook: { kinds: [validatingWebhookConfiguration], check: checkWebhooks }
}

/** Throws a ConfigError with kube-apiserver's message. */
export function manifestsOf(plugin: PluginWithManifests, { documents }: ManifestFolder, gates: EnabledGates): Manifests {
  const { kinds, check } = accepted[plugin]
  const found: Record<string, KubeObject[]> = Object.fromEntries(kinds.map(({ resource }) => [resource, []]))
  const files = new Map<string, string>()
  for (const { file, text } of documents)
    try {
      for (const manifest of decodeManifest(text, kinds, gates)) {
        checkName(manifest, file, files)
        check(manifest, file)
        found[manifest.kind.resource]!.push(manifest.object)
      }
    } catch (error) {
      throw error instanceof ConfigError ? new ConfigError(`error loading ${file}: ${error.message}`) : error
    }
  const [policies, bindings] = kinds.map(({ resource }) => found[resource]!)
  if (bindings) checkReferences(policies!, bindings)
  for (const objects of Object.values(found)) objects.sort((a, b) => compareUtf8(a.metadata.name!, b.metadata.name!))
  return found
}

function checkName({ kind, object }: Manifest, file: string, files: Map<string, string>): void {
  const { name = '' } = object.metadata
  if (!name.endsWith(staticSuffix))
    throw new ConfigError(`${goQuote(name)} in file ${goQuote(file)} must have a name ending with ${goQuote(staticSuffix)}`)
  const key = `${kind.resource}/${name}`
  const before = files.get(key)
  if (before !== undefined)
    throw new ConfigError(
      `duplicate name ${goQuote(name)} found in file ${goQuote(file)} (previously seen in ${goQuote(before)})`
    )
  files.set(key, file)
}

/** There is no Service yet while the server starts. */
function checkWebhooks({ object }: Manifest, file: string): void {
  const { metadata, webhooks = [] } = object as KubeObject & { readonly webhooks?: readonly ValidatingWebhook[] }
  for (const { name, clientConfig } of webhooks) {
    const where = `webhook ${goQuote(name)} in ${goQuote(metadata.name!)} (file ${goQuote(file)})`
    if (clientConfig.service)
      throw new ConfigError(`${where}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`)
    if (!clientConfig.url) throw new ConfigError(`${where}: clientConfig.url is required for static manifests`)
  }
}

/** Parameters are objects, which may be missing. */
function checkPolicy({ kind, object }: Manifest): void {
  const { metadata, spec } = object as KubeObject & {
    readonly spec: MutatingAdmissionPolicySpec & MutatingAdmissionPolicyBindingSpec
  }
  const name = goQuote(metadata.name!)
  if (!kind.kind.endsWith('Binding')) {
    if (spec.paramKind) throw new ConfigError(`${kind.kind} ${name}: spec.paramKind is not supported for static manifests`)
    return
  }
  const { policyName = '' } = spec
  if (!policyName.endsWith(staticSuffix))
    throw new ConfigError(`binding ${name}: spec.policyName ${goQuote(policyName)} must end with ${goQuote(staticSuffix)}`)
  if (spec.paramRef) throw new ConfigError(`binding ${name}: spec.paramRef is not supported for static manifests`)
}

function checkReferences(policies: readonly KubeObject[], bindings: readonly KubeObject[]): void {
  const names = new Set(policies.map(({ metadata }) => metadata.name))
  for (const { metadata, spec } of bindings as readonly (KubeObject & { spec: MutatingAdmissionPolicyBindingSpec })[])
    if (!names.has(spec.policyName))
      throw new ConfigError(
        `binding ${goQuote(metadata.name!)} references policy ${goQuote(spec.policyName ?? '')} which does not exist in the manifest directory`
      )
}
