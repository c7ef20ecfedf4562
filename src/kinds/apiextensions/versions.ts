/** Validates the versions of a definition: names, flags, schemas, subresources and columns. */
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion
} from '../../apimachinery/api/generated/apiextensions-v1.js'
import { hasDefaults } from '../../apimachinery/structural/definition/all-schemas.js'
import { internalSchema } from '../../apimachinery/structural/definition/internal-text.js'
import { type SchemaRules, validateSchema } from '../../apimachinery/structural/definition/validate.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson, namedText } from '../../apimachinery/validation/go-value.js'
import { equalJson } from '../../util/json.js'
import { validateLabel } from './names.js'
import { validatePrinterColumns } from './printer-columns.js'
import { validateScale } from './scale.js'
import { validateSelectableFields } from './selectable-fields.js'

/**
 * The parts of a version that kube-apiserver moves to the top of the spec when all versions agree on them, and then
 * reports there.
 */
const hoistable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const
type Hoistable = (typeof hoistable)[number]

const maxDeprecationWarning = 256

export function validateVersions(
  spec: CustomResourceDefinitionSpec,
  at: Path,
  errors: FieldErrors,
  rules: SchemaRules,
  validateNames: () => void
): void {
  const versions = spec.versions ?? []
  const path = at.child('versions')
  const hoisted = new Set(hoistable.filter(part => versions.every(v => equalJson(v[part], versions[0]![part]))))
  const isHoisted = (part: Hoistable) => hoisted.has(part)
  const validatePart = (part: Hoistable, version: CustomResourceDefinitionVersion, around: Path) => {
    const place = around.child(part)
    switch (part) {
      case 'schema': {
        const hasStatus = (isHoisted(part) ? versions : [version]).some(v => v.subresources?.status !== undefined)
        const schema = version.schema?.openAPIV3Schema
        const at = isHoisted(part) ? around.child('validation') : place
        if (schema) validateSchema(schema, at.child('openAPIV3Schema'), hasStatus, errors, rules)
        break
      }
      case 'subresources':
        validateScale(version.subresources?.scale, place.child('scale'), errors)
        break
      case 'additionalPrinterColumns':
        validatePrinterColumns(version.additionalPrinterColumns ?? [], place, errors)
        break
      case 'selectableFields': {
        // they are looked up in the schema of the same place
        const there = isHoisted(part)
          ? isHoisted('schema') && version.schema
          : !isHoisted('schema') && version.schema?.openAPIV3Schema
        if (version.selectableFields?.length && !there) {
          const where = isHoisted(part) ? 'validations.schema is' : schemaElsewhere
          errors.invalid(place, '', `may only be set when ${where} included`)
        } else validateSelectableFields(version, place, around.child('schema', 'openAPIV3Schema'), errors)
      }
    }
  }
  for (const [i, version] of versions.entries())
    if (!version.schema?.openAPIV3Schema) errors.required(path.index(i).child('schema', 'openAPIV3Schema'))
  if (spec.preserveUnknownFields && versions.some(v => v.schema?.openAPIV3Schema && hasDefaults(v.schema.openAPIV3Schema)))
    errors.invalid(at.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema')
  versions.forEach((version, i) => {
    const place = path.index(i)
    validateLabel(version.name, place.child('name'), errors)
    validateDeprecation(version, place.child('deprecationWarning'), errors)
    for (const part of hoistable) if (!isHoisted(part)) validatePart(part, version, place)
  })
  const shown = () => (spec.versions ? new GoText(goJson(versions.map(v => internalVersion(v, isHoisted)))) : null)
  if (new Set(versions.map(v => v.name)).size < versions.length)
    errors.invalid(path, shown(), 'must contain unique version names')
  if (versions.filter(v => v.storage).length !== 1)
    errors.invalid(path, shown(), 'must have exactly one version marked as storage version')
  const first = versions[0]
  // these fields are older than lists of versions, and hold the first version's values
  if (first && first.name !== '') validateLabel(first.name, at.child('version'), errors)
  validateNames()
  for (const part of hoistable) if (first && isHoisted(part)) validatePart(part, first, at)
}

/** kube-apiserver's error confuses the two places. */
const schemaElsewhere = '`version.schema.openAPIV3Schema` is not'

function validateDeprecation(
  { deprecated = false, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  place: Path,
  errors: FieldErrors
): void {
  if (warning === undefined) return
  const shown = namedText(warning)
  if (!deprecated) {
    errors.invalid(place, shown, 'can only be set for deprecated versions')
    return
  }
  if (Buffer.byteLength(warning) > maxDeprecationWarning)
    errors.invalid(place, shown, `must be <= ${maxDeprecationWarning} characters long`)
  if (warning === '') errors.invalid(place, shown, 'must not be an empty string')
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning)
  if (odd) {
    const index = Buffer.byteLength(warning.slice(0, odd.index))
    errors.invalid(place, shown, `must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
  }
}

/** Returns the version as errors print it: without the fields that all versions share. */
function internalVersion(version: CustomResourceDefinitionVersion, isHoisted: (part: Hoistable) => boolean): object {
  const own = <T>(part: Hoistable, value: T | undefined, internal: (value: T) => unknown) =>
    isHoisted(part) || value === undefined || value === null ? null : internal(value)
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: own('schema', version.schema, ({ openAPIV3Schema: schema }) => ({
      OpenAPIV3Schema: schema ? internalSchema(schema) : null
    })),
    Subresources: own('subresources', version.subresources, ({ status, scale }) => ({
      Status: status === undefined ? null : {},
      Scale: scale
        ? {
            SpecReplicasPath: scale.specReplicasPath,
            StatusReplicasPath: scale.statusReplicasPath,
            LabelSelectorPath: scale.labelSelectorPath ?? null
          }
        : null
    })),
    AdditionalPrinterColumns: own('additionalPrinterColumns', version.additionalPrinterColumns, columns =>
      columns.map(column => ({
        Name: column.name,
        Type: column.type,
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath
      }))
    ),
    SelectableFields: own('selectableFields', version.selectableFields, fields =>
      fields.map(({ jsonPath }) => ({ JSONPath: jsonPath }))
    )
  }
}
