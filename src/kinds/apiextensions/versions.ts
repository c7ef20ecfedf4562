/** The versions of a definition: their names and flags, and what else they say. */
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '../../api/generated/apiextensions-v1.js'
import { validateRules } from '../../apiextensions/rules/validate-rules.js'
import { equalJson } from '../../util/json.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { GoText, goJson } from '../../validation/go-value.js'
import { isDns1035Label } from '../../validation/names.js'
import { validatePrinterColumns } from './printer-columns.js'
import { validateScale } from './scale.js'
import { validateSelectableFields } from './selectable-fields.js'

/**
 * The parts of a version that kube-apiserver moves to the top of the spec when all versions agree on them, and then
 * reports there.
 */
const hoistable = ['subresources', 'additionalPrinterColumns', 'selectableFields'] as const
type Hoistable = (typeof hoistable)[number]

const maxDeprecationWarning = 256

export function validateVersions(
  spec: CustomResourceDefinitionSpec,
  at: Path,
  errors: FieldErrors,
  validateNames: () => void
): void {
  const versions = spec.versions ?? []
  const path = at.child('versions')
  const isHoisted = (part: Hoistable | 'schema') => versions.every(v => equalJson(v[part], versions[0]![part]))
  const validators: Record<Hoistable, (version: CustomResourceDefinitionVersion, place: Path) => void> = {
    subresources: (version, place) => validateScale(version.subresources?.scale, place.child('scale'), errors),
    additionalPrinterColumns: (version, place) => validatePrinterColumns(version.additionalPrinterColumns ?? [], place, errors),
    selectableFields: (version, place) => validateSelectableFields(version, place, errors)
  }
  versions.forEach((version, i) => {
    const place = path.index(i)
    for (const e of isDns1035Label(version.name)) errors.invalid(place.child('name'), version.name, e)
    validateVersion(version, place, errors)
    if (!isHoisted('schema')) validateSchema(version, place.child('schema'), errors)
    for (const part of hoistable) if (!isHoisted(part)) validators[part](version, place.child(part))
  })
  const shown = () => (spec.versions ? new GoText(goJson(versions.map(v => internalVersion(v, isHoisted)))) : null)
  if (new Set(versions.map(v => v.name)).size < versions.length)
    errors.invalid(path, shown(), 'must contain unique version names')
  if (versions.filter(v => v.storage).length !== 1)
    errors.invalid(path, shown(), 'must have exactly one version marked as storage version')
  const first = versions[0]
  // kept from the time when there was one version, and filled from the first
  if (first && first.name !== '') for (const e of isDns1035Label(first.name)) errors.invalid(at.child('version'), first.name, e)
  validateNames()
  if (first && isHoisted('schema')) validateSchema(first, at.child('validation'), errors)
  for (const part of hoistable) if (first && isHoisted(part)) validators[part](first, at.child(part))
}

function validateVersion(
  { schema, deprecated = false, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  at: Path,
  errors: FieldErrors
): void {
  const place = at.child('deprecationWarning')
  if (warning !== undefined && !deprecated) errors.invalid(place, warning, 'can only be set for deprecated versions')
  if (warning !== undefined && warning.length > maxDeprecationWarning)
    errors.invalid(place, warning, `must be <= ${maxDeprecationWarning} characters long`)
  if (warning === '') errors.invalid(place, warning, 'must not be an empty string')
  if (!schema?.openAPIV3Schema) errors.required(at.child('schema', 'openAPIV3Schema'))
}

function validateSchema({ schema }: CustomResourceDefinitionVersion, at: Path, errors: FieldErrors): void {
  if (schema?.openAPIV3Schema) validateRules(schema.openAPIV3Schema, at.child('openAPIV3Schema'), errors)
}

/** As errors print it: what all versions share is not in the version. */
function internalVersion(version: CustomResourceDefinitionVersion, isHoisted: (part: Hoistable | 'schema') => boolean): object {
  const own = <T>(part: Hoistable | 'schema', value: T) => (isHoisted(part) ? null : (value ?? null))
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: own('schema', version.schema),
    Subresources: own('subresources', version.subresources),
    AdditionalPrinterColumns: own('additionalPrinterColumns', version.additionalPrinterColumns),
    SelectableFields: own('selectableFields', version.selectableFields)
  }
}
