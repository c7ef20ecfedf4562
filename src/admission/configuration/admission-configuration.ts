/**
 * Reads the file of --admission-control-config-file: an AdmissionConfiguration, which has the configurations of plugins or names
 * files that have them.
 */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigError, type ConfigKind, readConfig } from '../../apimachinery/config/read-config.js'
import { list, raw, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { exactJson } from '../../util/exact-json.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'
import { topLevel } from './plugin-configuration.js'

/** Returns the text of a plugin's configuration, undefined for a plugin that has none. Rejects with a UserError. */
export type ConfigurationOf = (plugin: string) => Promise<string | undefined>

interface PluginEntry {
  readonly name?: string
  readonly path?: string
  readonly configuration?: unknown
}

function typeOf(version: string) {
  const plugin = struct(`${version}.AdmissionPluginConfiguration`, {
    name: string,
    path: string,
    configuration: { pointer: raw }
  })
  return struct(`${version}.AdmissionConfiguration`, { ...typeMeta, plugins: list(plugin) })
}

const kind: ConfigKind = {
  kind: 'AdmissionConfiguration',
  versions: { 'apiserver.config.k8s.io/v1': typeOf('v1'), 'apiserver.k8s.io/v1alpha1': typeOf('v1alpha1') }
}

/** Kinds that kube-apiserver knows besides AdmissionConfiguration. */
const otherKinds: Readonly<Record<string, readonly string[]>> = {
  'apiserver.config.k8s.io/v1': [
    'AuthenticationConfiguration',
    'AuthorizationConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration'
  ],
  'apiserver.k8s.io/v1alpha1': ['EgressSelectorConfiguration']
}

/** The plugins that once had a file of their own, without kind and version, and the key by which such a file is recognised. */
const legacyKeys: ReadonlyMap<string, string> = new Map([
  ['ImagePolicyWebhook', 'imagePolicy'],
  ['PodNodeSelector', 'podNodeSelectorPluginConfig']
])

const notConfigured: ConfigurationOf = async () => undefined

/** Rejects with a UserError. */
export async function readAdmissionConfiguration(path: string | undefined): Promise<ConfigurationOf> {
  if (!path) return notConfigured
  const refused = (why: string) => new UserError(`failed to apply admission: failed to read plugin config: ${why}`)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const why = goFileError('open', path, error)
    throw refused(`unable to read admission control configuration from ${goQuote(path)} [${why}]`)
  }
  try {
    return configurationsOf(readEntries(text), dirname(path))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    if (!isLegacy(text)) throw refused(error.message)
    return async plugin => (legacyKeys.has(plugin) ? text : undefined)
  }
}

/** Throws a ConfigError. */
function readEntries(text: string): readonly PluginEntry[] {
  if (text === '') throw new ConfigError("Object 'Kind' is missing in ''")
  try {
    return readConfig(text, kind).object.plugins ?? []
  } catch (error) {
    const other = error instanceof ConfigError ? otherKindOf(text) : undefined
    throw other === undefined ? error : new ConfigError(`unexpected type: *apiserver.${other}`)
  }
}

function otherKindOf(text: string): string | undefined {
  const { apiVersion, kind } = topLevel(text) ?? {}
  const version = String(apiVersion)
  return Object.hasOwn(otherKinds, version) ? otherKinds[version]!.find(other => other === kind) : undefined
}

/** Whether the text is the whole configuration of one of these plugins. */
function isLegacy(text: string): boolean {
  const given = topLevel(text)
  if (!given) return false
  const isKnown = Object.hasOwn(kind.versions, String(given.apiVersion))
  return !(isKnown && given.kind === kind.kind) && [...legacyKeys.values()].some(key => Object.hasOwn(given, key))
}

const configurationsOf =
  (entries: readonly PluginEntry[], directory: string): ConfigurationOf =>
  async plugin => {
    const entry = entries.find(({ name }) => name === plugin)
    if (!entry) return undefined
    if (entry.configuration !== undefined && entry.configuration !== null) return exactJson(entry.configuration)
    if (!entry.path) return undefined
    const path = resolve(directory, entry.path)
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      throw new UserError(`Couldn't open admission plugin configuration ${path}: ${goFileError('open', path, error)}`)
    }
  }
