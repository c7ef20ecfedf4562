import type { FieldErrors, Path } from './field.js'
import { isCIdentifier } from './names.js'

const maxId = 32
export const maxDomain = 63
export const maxDomainAndName = maxDomain + 1 + maxId

/** What differs between the rules that kinds have written and those that fields declare. */
export interface DomainAndNameRules {
  /** What messages call the two parts. */
  readonly domain: string
  readonly name: string
  /** Validates a domain that is not empty. */
  validateDomain(domain: string, path: Path, errors: FieldErrors): void
}

/** Validates "memory" or "example.com/memory", the names of attributes and capacities of devices. Names with more slashes pass. */
export function validateDomainAndName(text: string, path: Path, errors: FieldErrors, rules: DomainAndNameRules): void {
  const parts = text.split('/')
  if (parts.length > 2) return
  const [domain, name] = parts.length === 1 ? [undefined, text] : parts
  if (domain === '') errors.invalid(path, '', `${rules.domain} must not be empty`)
  else if (domain !== undefined) rules.validateDomain(domain, path, errors)
  if (domain !== undefined && name === '') errors.invalid(path, '', `${rules.name} must not be empty`)
  else validateId(name!, path, errors)
}

/** The same for names whose domain may not be left out. */
export function validateFullName(text: string, path: Path, errors: FieldErrors, rules: DomainAndNameRules): void {
  validateDomainAndName(text, path, errors, rules)
  if (!text.includes('/')) errors.invalid(path, text, 'a fully qualified name must be a domain and a name separated by a slash')
}

function validateId(id: string, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(id) > maxId) errors.tooLong(path, maxId)
  for (const problem of isCIdentifier(id)) errors.invalid(path, id, problem)
}
