/** Validates an AuthenticationConfiguration with kube-apiserver's messages, and compiles its expressions on the way. */
import { type EnabledGates, FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateClaimMappings } from './claim-mappings.js'
import { type CompiledJwt, type Expression, ExpressionCompiler } from './compiled.js'
import type { AnonymousConfig, AuthenticationConfiguration, JwtConfig, UserValidationRule } from './configuration.js'
import { validateIssuer } from './issuer-config.js'
import { validateClaimValidationRules } from './validation-rules.js'

const maxIssuers = 64

export interface ValidatedConfiguration {
  /** In the order of the configuration; complete only when there are no errors. */
  readonly jwt: readonly CompiledJwt[]
  readonly errors: FieldErrors
}

/** `disallowedIssuers` are the issuers whose tokens other authenticators recognise. */
export function validateConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[] = [],
  features?: EnabledGates
): ValidatedConfiguration {
  const errors = new FieldErrors(features)
  const compiled: CompiledJwt[] = []
  errors.collect(() => {
    const root = Path.of('jwt')
    if (jwt.length > maxIssuers) return errors.tooMany(root, jwt.length, maxIssuers)
    const urls = new Set<string>()
    const discoveryURLs = new Set<string>()
    for (const [i, config] of jwt.entries()) {
      const path = root.index(i)
      compiled.push(validateJwt(config, path, disallowedIssuers, errors))
      const { url = '', discoveryURL = '' } = config.issuer
      if (urls.has(url)) errors.duplicate(path.child('issuer', 'url'), url)
      urls.add(url)
      if (discoveryURL === '') continue
      if (discoveryURLs.has(discoveryURL)) errors.duplicate(path.child('issuer', 'discoveryURL'), discoveryURL)
      discoveryURLs.add(discoveryURL)
    }
    if (anonymous) validateAnonymous(anonymous, errors)
  })
  return { jwt: compiled, errors }
}

function validateJwt(config: JwtConfig, path: Path, disallowed: readonly string[], errors: FieldErrors): CompiledJwt {
  const compiler = new ExpressionCompiler(errors)
  validateIssuer(config.issuer, path.child('issuer'), disallowed, errors)
  const claimRules = validateClaimValidationRules(
    config.claimValidationRules ?? [],
    path.child('claimValidationRules'),
    compiler,
    errors
  )
  const mappings = validateClaimMappings(config.claimMappings, path.child('claimMappings'), claimRules, compiler, errors)
  const userRules = validateUserRules(config.userValidationRules ?? [], path.child('userValidationRules'), compiler, errors)
  return { config, claimRules, ...mappings, userRules }
}

function validateUserRules(
  rules: readonly UserValidationRule[],
  path: Path,
  compiler: ExpressionCompiler,
  errors: FieldErrors
): Expression[] {
  const seen = new Set<string>()
  const compiled: Expression[] = []
  for (const [i, { expression = '', message = '' }] of rules.entries()) {
    const at = path.index(i).child('expression')
    if (expression === '') errors.required(at)
    else if (seen.has(expression)) errors.duplicate(at, expression)
    else {
      seen.add(expression)
      const rule = compiler.userRule(expression, message, at)
      if (rule) compiled.push(rule)
    }
  }
  return compiled
}

function validateAnonymous({ enabled = false, conditions = [] }: AnonymousConfig, errors: FieldErrors): void {
  if (enabled || conditions.length === 0) return
  const shown = conditions.map(({ path = '' }) => ({ Path: path }))
  errors.invalid(Path.of('anonymous', 'conditions'), shown, 'enabled should be set to true when conditions are defined')
}
