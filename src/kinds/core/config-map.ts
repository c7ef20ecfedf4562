import type { ConfigMap } from '../../apimachinery/api/generated/core-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isConfigMapKey } from '../../apimachinery/validation/names.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'

const maxBytes = 1024 * 1024

export const configMap = defineKind<ConfigMap>({
  group: '',
  kind: 'ConfigMap',
  resource: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.ConfigMap' }],
  table: {
    columns: builtinColumns('configmaps', {
      Name: o => o.metadata.name,
      Data: o => Object.keys(o.data ?? {}).length + Object.keys(o.binaryData ?? {}).length,
      Age: age
    })
  },
  strategy: {
    updateChecks: changesThenAsNew,
    validate(map, errors) {
      let size = 0
      for (const [key, value] of Object.entries(map.data ?? {})) {
        validateKey(key, Path.of('data'), errors)
        if (map.binaryData && Object.hasOwn(map.binaryData, key))
          errors.invalid(Path.of('data').key(key), key, 'duplicate of key present in binaryData')
        size += Buffer.byteLength(value)
      }
      for (const [key, value] of Object.entries(map.binaryData ?? {})) {
        validateKey(key, Path.of('binaryData'), errors)
        size += Buffer.byteLength(value ?? '', 'base64')
      }
      if (size > maxBytes) errors.tooLong('[]', maxBytes)
    },
    validateUpdate(map, old, errors) {
      if (!old.immutable) return
      const because = 'field is immutable when `immutable` is set'
      if (!map.immutable) errors.forbidden('immutable', because)
      // Go never prints nil here, because the default is an empty map
      if (!equalJson(map.data ?? {}, old.data ?? {})) errors.forbidden('data', because)
      if (!equalJson(given(map, 'binaryData'), old.binaryData)) errors.forbidden('binaryData', because)
    }
  }
})

function validateKey(key: string, path: Path, errors: FieldErrors): void {
  for (const e of isConfigMapKey(key)) errors.invalid(path.key(key), key, e)
}
