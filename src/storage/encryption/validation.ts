/** Validates the file of --encryption-provider-config, with kube-apiserver's words. */

import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { formatDuration } from '../../util/go-duration.js'
import { goQuote } from '../../util/go-format.js'
import { parseUrl, UrlError } from '../../util/go-url.js'
import type {
  KeyConfiguration,
  KeysConfiguration,
  KmsConfiguration,
  ProviderConfiguration,
  ResourceConfiguration
} from './configuration.js'
import { anyOfAll, parseGroupResource } from './group-resource.js'

const aesLengths = [16, 24, 32]
const secretboxLengths = [32]

/** `reloads`: whether the file is read again when it changes, which makes one rule stricter. */
export function validateConfiguration(all: readonly ResourceConfiguration[], reloads: boolean, errors: FieldErrors): void {
  const root = Path.of('resources')
  if (all.length === 0) errors.required(root, `at least one ${root} is required`)
  const kmsNames = new Set<string>()
  for (const [i, { resources, providers }] of all.entries()) {
    const r = root.index(i).child('resources')
    const p = root.index(i).child('providers')
    if (resources.length === 0) errors.required(r, `at least one ${r} is required`)
    validateOverlap(resources, r, errors)
    for (const [j, name] of resources.entries()) validateName(name, r.index(j), errors)
    if (providers.length === 0) errors.required(p, `at least one ${p} is required`)
    for (const [j, provider] of providers.entries()) validateProvider(provider, p.index(j), kmsNames, reloads, errors)
  }
}

function validateOverlap(resources: readonly string[], path: Path, errors: FieldErrors): void {
  if (resources.length < 2) return
  const parsed = resources.map(parseGroupResource)
  const distinct = new Set(parsed.map(({ group, resource }) => `${resource}.${group}`))
  if (distinct.size < resources.length) errors.invalid(path, resources, 'the same resource cannot be specified multiple times')
  if (overlaps(parsed))
    errors.invalid(
      path,
      resources,
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked"
    )
}

/** Whether a wildcard covers another entry. The first pair of equal entries is a duplicate, not an overlap. */
function overlaps(parsed: readonly ReturnType<typeof parseGroupResource>[]): boolean {
  const byGroup = new Map<string, { all: number; wildcards: number }>()
  let others = 0
  for (const { group, resource } of parsed) {
    const isAny = group === anyOfAll.group && resource === anyOfAll.resource
    if (!isAny) others++
    const counts = byGroup.get(group) ?? { all: 0, wildcards: 0 }
    byGroup.set(group, { all: counts.all + 1, wildcards: counts.wildcards + (resource === '*' ? 1 : 0) })
  }
  if (others > 0 && others < parsed.length) return true
  // two equal wildcards are compared twice, once each way, and only the first comparison counts as the duplicate
  return [...byGroup.values()].some(({ all, wildcards }) => wildcards > 0 && all > 1)
}

const withoutApi = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'])

function validateName(name: string, path: Path, errors: FieldErrors): void {
  const why = whyInvalid(name)
  if (why !== undefined) errors.invalid(path, name, why)
}

function whyInvalid(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters'
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"
  if (withoutApi.has(name)) return 'resources which do not have REST API/s cannot be encrypted'
  const { group, resource } = parseGroupResource(name)
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file"
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption"
  return group === '*' && resource !== '*' ? 'encrypting the same resource across groups is not supported' : undefined
}

function validateProvider(
  provider: ProviderConfiguration,
  path: Path,
  kmsNames: Set<string>,
  reloads: boolean,
  errors: FieldErrors
): void {
  const { kms, aesgcm, aescbc, secretbox } = provider
  const found = Object.values(provider).filter(one => one !== undefined).length
  if (found === 0)
    errors.invalid(
      path,
      goProvider(provider),
      'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
    )
  if (found > 1)
    errors.invalid(
      path,
      goProvider(provider),
      'more than one provider specified in a single element, should split into different list elements'
    )
  if (kms) {
    validateKms(kms, path.child('kms'), kmsNames, reloads, errors)
    kmsNames.add(kms.name)
  } else if (aesgcm) validateKeys(aesgcm, path.child('aesgcm', 'keys'), aesLengths, errors)
  else if (aescbc) validateKeys(aescbc, path.child('aescbc', 'keys'), aesLengths, errors)
  else if (secretbox) validateKeys(secretbox, path.child('secretbox', 'keys'), secretboxLengths, errors)
}

/** The provider as kube-apiserver prints it in errors, but without the keys, which it would print, too. */
function goProvider({ aesgcm, aescbc, secretbox, identity, kms }: ProviderConfiguration): object {
  const keys = (given: KeysConfiguration | undefined) =>
    given ? { Keys: given.keys.map(({ name }) => ({ Name: name, Secret: 'REDACTED' })) } : null
  return {
    AESGCM: keys(aesgcm),
    AESCBC: keys(aescbc),
    Secretbox: keys(secretbox),
    Identity: identity ? {} : null,
    KMS: kms
      ? {
          APIVersion: kms.apiVersion,
          Name: kms.name,
          CacheSize: kms.cachesize ?? null,
          Endpoint: kms.endpoint,
          Timeout: formatDuration(kms.timeout)
        }
      : null
  }
}

function validateKeys({ keys }: KeysConfiguration, path: Path, lengths: readonly number[], errors: FieldErrors): void {
  if (keys.length === 0) errors.required(path, 'at least one keys is required')
  for (const [i, key] of keys.entries()) validateKey(key, path.index(i), lengths, errors)
}

function validateKey({ name, secret }: KeyConfiguration, path: Path, lengths: readonly number[], errors: FieldErrors): void {
  if (name === '') errors.required(path.child('name'), 'name is a mandatory field for a key')
  const at = path.child('secret')
  if (secret === '') return errors.required(at, 'secret is a mandatory field for a key')
  const key = decodeKey(secret)
  if (!key) return errors.invalid(at, 'REDACTED', 'secrets must be base64 encoded')
  if (!lengths.includes(key.length))
    errors.invalid(
      at,
      'REDACTED',
      `secret is not of the expected length, got ${key.length}, expected one of [${lengths.join(' ')}]`
    )
}

/** Decodes Base64 as Go's StdEncoding does, which skips line ends. Returns undefined for anything else. */
export function decodeKey(secret: string): Buffer | undefined {
  const text = secret.replace(/[\r\n]/g, '')
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}

function validateKms(kms: KmsConfiguration, path: Path, names: ReadonlySet<string>, reloads: boolean, errors: FieldErrors): void {
  const { name, apiVersion, timeout, cachesize } = kms
  const isV1 = apiVersion === 'v1'
  const at = path.child('name')
  if (name === '') errors.required(at, 'name is a mandatory field for a provider')
  if (!isV1 && name.includes(':')) errors.invalid(at, name, `invalid KMS provider name ${name}, must not contain ':'`)
  if ((reloads || !isV1) && names.has(name)) errors.invalid(at, name, `duplicate KMS provider name ${name}, names must be unique`)
  if (timeout <= 0) errors.invalid(path.child('timeout'), formatDuration(timeout), 'timeout should be a positive value')
  validateEndpoint(kms, path.child('endpoint'), errors)
  if (!isV1 && cachesize !== undefined) errors.invalid(path.child('cachesize'), cachesize, 'cachesize is not supported in v2')
  if (isV1 && cachesize === 0)
    errors.invalid(path.child('cachesize'), 0, 'cachesize should be a positive value, or negative to disable')
  if (!isV1 && apiVersion !== 'v2')
    errors.invalid(
      path.child('apiVersion'),
      apiVersion,
      'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported'
    )
}

function validateEndpoint({ endpoint }: KmsConfiguration, path: Path, errors: FieldErrors): void {
  if (endpoint === '') return errors.invalid(path, '', 'endpoint is a mandatory field for a kms')
  try {
    const { scheme } = parseUrl(endpoint)
    if (scheme !== 'unix')
      errors.invalid(path, endpoint, `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`)
  } catch (error) {
    if (!(error instanceof UrlError)) throw error
    errors.invalid(path, endpoint, `invalid endpoint for kms provider, error: ${error.message}`)
  }
}
