import type { FieldErrors, Path } from './field.js'
import { isDns1123Subdomain } from './names.js'

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
