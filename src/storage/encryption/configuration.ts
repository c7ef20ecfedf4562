/**
 * The file of --encryption-provider-config
 * (https://kubernetes.io/docs/reference/config-api/apiserver-config.v1/#apiserver-config-k8s-io-v1-EncryptionConfiguration).
 */
import { ConfigError, type ConfigKind, readConfig } from '../../apimachinery/config/read-config.js'
import { duration, int32, list, pointer, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { readDuration } from '../../util/go-duration.js'

export interface KeyConfiguration {
  readonly name: string
  /** The key in base64. */
  readonly secret: string
}

export interface KeysConfiguration {
  readonly keys: readonly KeyConfiguration[]
}

export interface KmsConfiguration {
  readonly apiVersion: string
  readonly name: string
  readonly cachesize: number | undefined
  readonly endpoint: string
  /** Milliseconds that a call may take. */
  readonly timeout: number
}

/** The configuration of a provider; after validation, exactly one of these is set. */
export interface ProviderConfiguration {
  readonly aesgcm?: KeysConfiguration | undefined
  readonly aescbc?: KeysConfiguration | undefined
  readonly secretbox?: KeysConfiguration | undefined
  readonly identity?: object | undefined
  readonly kms?: KmsConfiguration | undefined
}

export interface ResourceConfiguration {
  /** Names of resources: `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*` for all. */
  readonly resources: readonly string[]
  readonly providers: readonly ProviderConfiguration[]
}

const key = struct('v1.Key', { name: string, secret: string })
const aes = struct('v1.AESConfiguration', { keys: list(key) })
const kms = struct('v1.KMSConfiguration', {
  apiVersion: string,
  name: string,
  cachesize: pointer(int32),
  endpoint: string,
  timeout: pointer(duration)
})
const provider = struct('v1.ProviderConfiguration', {
  aesgcm: pointer(aes),
  aescbc: pointer(aes),
  secretbox: pointer(struct('v1.SecretboxConfiguration', { keys: list(key) })),
  identity: pointer(struct('v1.IdentityConfiguration', {})),
  kms: pointer(kms)
})
const resource = struct('v1.ResourceConfiguration', { resources: list(string), providers: list(provider) })
const type = struct('v1.EncryptionConfiguration', { ...typeMeta, resources: list(resource) })

const group = 'apiserver.config.k8s.io'
const kind: ConfigKind = { kind: 'EncryptionConfiguration', versions: { [`${group}/v1`]: type } }
/** The former name of the kind in documents, which kube-apiserver accepts as well. */
const formerKind: ConfigKind = { kind: 'EncryptionConfig', versions: { v1: type } }
const formerHead = 'no kind "EncryptionConfig" is registered for version "v1" '
/** Kinds that kube-apiserver can read here, and refuses. */
const otherKind =
  /^no kind "((?:Admission|Authentication|Authorization|Tracing)Configuration)" is registered for version "apiserver\.config\.k8s\.io\/v1" /

/** Reads a configuration, and sets its defaults. Throws a ConfigError, whose message shows no keys. */
export function readConfiguration(text: string): readonly ResourceConfiguration[] {
  const { resources = [] } = read(text)
  return resources.map(({ resources = [], providers = [] }: any) => ({ resources, providers: providers.map(providerOf) }))
}

function read(text: string): any {
  try {
    return readConfig(text, kind).object
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    if (error.message.startsWith(formerHead)) return readConfig(text, formerKind).object
    // the original error would show the whole file, including its keys
    const missing = /^Object '(?:Kind|apiVersion)' is missing/.exec(error.message)?.[0]
    if (missing !== undefined) throw new ConfigError(missing)
    const other = otherKind.exec(error.message)?.[1]
    throw other === undefined ? error : new ConfigError(`got unexpected config type: ${group}/v1, Kind=${other}`)
  }
}

function providerOf({ aesgcm, aescbc, secretbox, identity, kms }: any): ProviderConfiguration {
  return { aesgcm: keysOf(aesgcm), aescbc: keysOf(aescbc), secretbox: keysOf(secretbox), identity, kms: kms && kmsOf(kms) }
}

const keysOf = (given: any): KeysConfiguration | undefined =>
  given && { keys: (given.keys ?? []).map(({ name = '', secret = '' }: any) => ({ name, secret })) }

function kmsOf({ apiVersion = 'v1', name = '', cachesize, endpoint = '', timeout }: any): KmsConfiguration {
  return {
    apiVersion,
    name,
    cachesize: cachesize ?? (apiVersion === 'v1' ? 1000 : undefined),
    endpoint,
    timeout: timeout === undefined ? 3000 : Number(readDuration(timeout))
  }
}
