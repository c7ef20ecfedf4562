/** Makes a server's options of the flags of `binnacle serve`. */
import { join, resolve } from 'node:path'
import { admissionPluginNames } from '../admission/plugin-names.js'
import { parseFeatureGates } from '../apimachinery/features/parse-gates.js'
import type { FlagOptions } from '../server/options/generated/flag-options.js'
import { optionTable } from '../server/options/table.js'
import type { ServerOptions } from '../server/options.js'
import { UserError } from '../util/user-error.js'
import type { ServeValues } from './flags/serve-flags.js'

/** The default data folder: easy to find and to remove. */
export const DEFAULT_DATA_DIR = '.binnacle'

/** The former flag names all plugins that run. */
function admissionPlugins(values: ServeValues): Pick<ServerOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'> {
  const { 'admission-control': all, 'enable-admission-plugins': enabled, 'disable-admission-plugins': disabled } = values
  if (all === undefined) return {}
  if (enabled.length > 0 || disabled.length > 0)
    throw new UserError('admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive')
  return { enableAdmissionPlugins: all, disableAdmissionPlugins: admissionPluginNames.filter(name => !all.includes(name)) }
}

/** Makes a path absolute; `-` stands for standard output. */
const absolute = (path: unknown) => (typeof path === 'string' && path !== '' && path !== '-' ? resolve(path) : path || undefined)

const usualBackend = (values: ServeValues) =>
  values['etcd-servers'].length > 0 ? 'etcd3' : values.snapshot === undefined ? 'lmdb' : 'memory'

function optionsOf(values: ServeValues): FlagOptions {
  const texts: Readonly<Record<string, unknown>> = values
  return Object.fromEntries(
    Object.entries(optionTable).map(([name, option]) => [
      name,
      'isPath' in option && option.isPath === true ? absolute(texts[option.flag]) : texts[option.flag]
    ])
  )
}

/** Returns the server's options for the given flags. Paths become absolute. */
export const serverOptions = (values: ServeValues): ServerOptions => {
  const options = optionsOf(values)
  const storageBackend = values['storage-backend'] ?? usualBackend(values)
  // With both given, the server needs no folder of its own.
  const keptElsewhere = storageBackend === 'memory' || (storageBackend === 'etcd3' && options.certDir !== undefined)
  const dataDir = options.dataDir ?? (keptElsewhere ? undefined : resolve(DEFAULT_DATA_DIR))
  return {
    ...options,
    ...admissionPlugins(values),
    ...(values.recorder ? { recorder: true } : {}),
    simulate: values.simulate && { nodes: values.nodes, nodeCapacity: values['node-capacity'] },
    dataDir,
    storageBackend,
    certDir: options.certDir ?? (dataDir === undefined ? undefined : join(dataDir, 'pki')),
    // With AlwaysAllow, anonymous requests could do everything; kube-apiserver also disables them then.
    anonymousAuth: values['anonymous-auth'] && !values['authorization-mode']?.includes('AlwaysAllow'),
    minRequestTimeout: values['min-request-timeout'] * 1000,
    featureGates: parseFeatureGates(values['feature-gates']),
    apiGroups: values['api-groups'].includes('all') ? undefined : values['api-groups']
  }
}
