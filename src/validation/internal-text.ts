/** Values as kube-apiserver's errors print them when they are structs: JSON of the internal type, with Go's field names and no omissions. */
import { loadSchema } from '../schema/load.js'
import type { Type } from '../schema/model.js'
import { zeroScalar } from '../schema/scalars.js'
import { GoText, goJson } from './go-value.js'

/**
 * `order` lists the Go names where the internal type's fields stand in another order than the schema's; fields that it
 * leaves out are not printed.
 */
export function internalText(typeName: string, value: unknown, order?: readonly string[]): GoText {
  return new GoText(goJson(internal(loadSchema().type(typeName), value, order)))
}

/** The same for a list of structs. */
export function internalListText(typeName: string, values: readonly unknown[]): GoText {
  return new GoText(goJson(values.map(v => internal(loadSchema().type(typeName), v))))
}

const persistentVolumeSources =
  'GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS FC Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI'

/** Types whose internal fields always stand in another order. */
const internalOrders: Readonly<Record<string, readonly string[]>> = {
  'core.v1.PersistentVolumeSpec':
    `Capacity ${persistentVolumeSources} AccessModes ClaimRef PersistentVolumeReclaimPolicy StorageClassName MountOptions VolumeMode NodeAffinity VolumeAttributesClassName`.split(
      ' '
    )
}

function internal(type: Type, value: any, order?: readonly string[]): unknown {
  if (value === undefined || value === null) return type.kind === 'struct' ? internal(type, {}) : null
  if (type.kind === 'list') return value.map((v: unknown) => internal(type.items, v))
  if (type.kind !== 'struct') return value
  const entries = type.fields.map(field => {
    const given = value[field.name]
    const absent = given === undefined || given === null
    return [field.goName, absent ? zero(field.type, field.pointer) : internal(field.type, given)] as const
  })
  const fields = Object.fromEntries(entries)
  const names = order ?? internalOrders[type.name]
  return names ? Object.fromEntries(names.map(name => [name, fields[name]])) : fields
}

function zero(type: Type, pointer: boolean): unknown {
  if (pointer || type.kind === 'list' || type.kind === 'map') return null
  if (type.kind === 'struct') return internal(type, {})
  return zeroScalar(type)
}
