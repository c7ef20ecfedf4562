import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import { jsonSyntaxError } from '../../apimachinery/formats/json-syntax.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { isConfigMapKey } from '../../apimachinery/validation/names.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { sortedEntries } from '../../util/go-format.js'
import { equalJson, own, setKey } from '../../util/json.js'
import { builtinColumns } from '../columns.js'

const maxBytes = 1024 * 1024
const data = Path.of('data')

/** The keys that each type requires. */
const neededKeys: Record<string, readonly string[]> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key']
}

const redacted = '<secret contents redacted>'

export const secret = defineKind<Secret>({
  group: '',
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Secret' }],
  fieldSelectors: { fields: { type: o => o.type ?? '' } },
  table: {
    columns: builtinColumns('secrets', {
      Name: o => o.metadata.name,
      Type: o => o.type,
      Data: o => Object.keys(o.data ?? {}).length,
      Age: age
    })
  },
  strategy: {
    default(o) {
      o.type ??= 'Opaque'
      // stringData can only be written
      for (const [key, text] of Object.entries(o.stringData ?? {}))
        setKey((o.data ??= {}), key, Buffer.from(text).toString('base64'))
      delete o.stringData
    },
    prepareForUpdate(o, old) {
      // a client that omits the type keeps the present one
      o.type ||= old.type
    },
    updateChecks: changesThenAsNew,
    validate(o, errors) {
      let size = 0
      for (const [key, value] of sortedEntries<any>(o.data ?? {})) {
        for (const e of isConfigMapKey(key)) errors.invalid(data.key(key), key, e)
        size += Buffer.byteLength(value ?? '', 'base64')
      }
      if (size > maxBytes) errors.tooLong('data', maxBytes)
      validateType(o, errors)
    },
    validateUpdate(o, old, errors) {
      if (o.type !== old.type) errors.invalid('type', namedText(o.type), 'field is immutable')
      if (!old.immutable) return
      const because = 'field is immutable when `immutable` is set'
      if (!o.immutable) errors.forbidden('immutable', because)
      if (!equalJson(given(o, 'data'), old.data)) errors.forbidden('data', because)
    }
  }
})

function validateType({ type, data: values = {}, metadata }: Secret, errors: FieldErrors): void {
  const has = (key: string) => Object.hasOwn(values, key)
  if (type === 'kubernetes.io/service-account-token') {
    const annotation = 'kubernetes.io/service-account.name'
    if (!metadata.annotations?.[annotation]) errors.required(Path.of('metadata', 'annotations').key(annotation))
  }
  if (type === 'kubernetes.io/basic-auth' && !has('username') && !has('password')) {
    errors.required(data.key('username'))
    errors.required(data.key('password'))
  }
  for (const key of own(neededKeys, type ?? '') ?? []) {
    if (!has(key) || (key === 'ssh-privatekey' && !values[key])) errors.required(data.key(key))
    else if (key.startsWith('.docker')) {
      const wrong = jsonSyntaxError(Buffer.from(values[key]!, 'base64').toString())
      if (wrong) errors.invalid(data.key(key), redacted, wrong)
    }
  }
}
