import type { FieldErrors, Path } from './field.js'
import { isDns1123Label, isDns1123Subdomain } from './names.js'

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const pathRegExp = new RegExp(`^${pathPattern}$`)

/** The form of controller names: "example.com/controller". */
export function validateDomainPrefixedPath(value: string, path: Path, errors: FieldErrors): void {
  if (value === '') {
    errors.required(path)
    return
  }
  const slash = value.indexOf('/')
  if (slash <= 0 || slash === value.length - 1) {
    errors.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
    return
  }
  const host = value.slice(0, slash)
  const rest = value.slice(slash + 1)
  for (const e of isDns1123Subdomain(host)) errors.invalid(path, host, e)
  if (!pathRegExp.test(rest)) errors.invalid(path, rest, `Invalid path (regex used for validation is '${pathPattern}')`)
}

/** A domain name with at least two labels, such as "example.com"; a dot at its end is allowed. */
export function validateDomainName(value: string, path: Path, errors: FieldErrors): void {
  if (value === '') return errors.required(path)
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  const problems = isDns1123Subdomain(name)
  if (problems.length > 0) return errors.invalid(path, name, problems.join(','))
  const labels = name.split('.')
  if (labels.length < 2) return errors.invalid(path, name, 'should be a domain with at least two segments separated by dots')
  for (const label of labels) {
    const wrong = isDns1123Label(label)
    if (wrong.length > 0) errors.invalid(path, label, wrong.join(','))
  }
}
