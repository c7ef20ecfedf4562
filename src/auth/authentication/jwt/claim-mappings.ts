import { validateDomainPrefixedPath } from '../../../apimachinery/validation/domain-path.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import type { CompiledJwt, Expression, ExpressionCompiler, ExtraExpression } from './compiled.js'
import type { ClaimMappings, ExtraMapping, PrefixedClaimOrExpression } from './configuration.js'

type Mappings = Pick<CompiledJwt, 'username' | 'groups' | 'uid' | 'extra'>

/** Validates claimMappings, and returns those that are expressions. `rules` are the expressions of claimValidationRules. */
export function validateClaimMappings(
  mappings: ClaimMappings,
  path: Path,
  rules: readonly Expression[],
  compiler: ExpressionCompiler,
  errors: FieldErrors
): Mappings {
  const usernameIsValid = unchanged(errors)
  const username = validatePrefixed(mappings.username, path.child('username'), true, compiler, errors)
  const usernameCounts = usernameIsValid()
  const groups = validatePrefixed(mappings.groups, path.child('groups'), false, compiler, errors)
  const { claim = '', expression = '' } = mappings.uid
  const uidPath = path.child('uid')
  if (claim !== '' && expression !== '') errors.invalid(uidPath, '', "claim and expression can't both be set")
  const uid = claim === '' && expression !== '' ? compiler.mapping(expression, uidPath.child('expression')) : undefined
  const extra = validateExtra(mappings.extra ?? [], path.child('extra'), compiler, errors)
  if (
    username &&
    usernameCounts &&
    username.program.selects('claims', 'email') &&
    !usesEmailVerified([username, ...extra, ...rules])
  )
    errors.invalid(
      path.child('username', 'expression'),
      username.source,
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
    )
  return { username, groups, uid, extra }
}

/** Whether an expression looks at `email_verified`: an address that its owner has not confirmed may be anybody's. */
const usesEmailVerified = (expressions: readonly Expression[]) =>
  expressions.some(({ program }) => program.selects('claims', 'email_verified'))

/** Returns a function that tells whether errors have been added since. */
const unchanged = ({ list }: FieldErrors) => {
  const before = list.length
  return () => list.length === before
}

function validatePrefixed(
  { claim = '', expression = '', prefix }: PrefixedClaimOrExpression,
  path: Path,
  isRequired: boolean,
  compiler: ExpressionCompiler,
  errors: FieldErrors
): Expression | undefined {
  if (expression !== '' && claim !== '') errors.invalid(path, '', "claim and expression can't both be set")
  else if (expression !== '') {
    if (prefix !== undefined) errors.invalid(path.child('prefix'), prefix, 'may not be specified when expression is set')
    return compiler.mapping(expression, path.child('expression'))
  } else if (claim !== '') {
    if (prefix === undefined)
      errors.required(
        path.child('prefix'),
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing'
      )
  } else if (isRequired) errors.required(path, 'claim or expression is required')
  return undefined
}

function validateExtra(
  mappings: readonly ExtraMapping[],
  path: Path,
  compiler: ExpressionCompiler,
  errors: FieldErrors
): ExtraExpression[] {
  const keys = new Set<string>()
  const compiled: ExtraExpression[] = []
  for (const [i, { key = '', valueExpression = '' }] of mappings.entries()) {
    const keyPath = path.index(i).child('key')
    const valuePath = path.index(i).child('valueExpression')
    validateDomainPrefixedPath(key, keyPath, errors)
    if (key !== key.toLowerCase()) errors.invalid(keyPath, key, 'must be lowercase')
    if (isReserved(key))
      errors.invalid(keyPath, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use')
    if (keys.has(key)) {
      errors.duplicate(keyPath, key)
      continue
    }
    keys.add(key)
    if (valueExpression === '') {
      errors.required(valuePath)
      continue
    }
    const value = compiler.mapping(valueExpression, valuePath)
    if (value) compiled.push({ ...value, key })
  }
  return compiled
}

const isReserved = (key: string): boolean => /^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)
