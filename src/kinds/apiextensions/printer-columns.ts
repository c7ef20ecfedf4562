import type { CustomResourceColumnDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateSimplePath } from './scale.js'

const types = ['boolean', 'date', 'integer', 'number', 'string']
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

export function validatePrinterColumns(
  columns: readonly CustomResourceColumnDefinition[],
  path: Path,
  errors: FieldErrors
): void {
  columns.forEach(({ name, type, format = '', jsonPath }, i) => {
    const at = path.index(i)
    if (name === '') errors.required(at.child('name'))
    if (type === '') errors.required(at.child('type'), `must be one of ${types.join(',')}`)
    else if (!types.includes(type)) errors.invalid(at.child('type'), type, `must be one of ${types.join(',')}`)
    if (format !== '' && !formats.includes(format))
      errors.invalid(at.child('format'), format, `must be one of ${formats.join(',')}`)
    if (jsonPath === '') errors.required(at.child('JSONPath'))
    else validateSimplePath(jsonPath, at.child('JSONPath'), errors)
  })
}
