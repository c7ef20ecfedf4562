import {
  type DomainAndNameRules,
  maxDomainAndName,
  validateDomainAndName,
  validateFullName
} from '../../apimachinery/validation/domain-and-name.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateDriverName } from '../storage/driver-name.js'

const rules: DomainAndNameRules = { domain: 'the domain', name: 'the name', validateDomain: validateDriverName }

export const maxQualifiedName = maxDomainAndName

/** Validates names of attributes and capacities: "memory" or "example.com/memory". */
export const validateQualifiedName = (name: string, path: Path, errors: FieldErrors): void =>
  validateDomainAndName(name, path, errors, rules)

export const validateFullyQualifiedName = (name: string, path: Path, errors: FieldErrors): void =>
  validateFullName(name, path, errors, rules)
