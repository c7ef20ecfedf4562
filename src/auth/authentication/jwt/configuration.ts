/** The types of AuthenticationConfiguration in apiserver.config.k8s.io, and the function that reads its text. */
import { type ConfigKind, readConfig } from '../../../apimachinery/config/read-config.js'
import { bool, list, named, pointer, string, struct, typeMeta } from '../../../apimachinery/config/types.js'
import type { StructType } from '../../../apimachinery/schema/model.js'

export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtConfig[] | undefined
  readonly anonymous?: AnonymousConfig | undefined
}

/** Without conditions, anonymous requests are allowed on every path. */
export interface AnonymousConfig {
  readonly enabled?: boolean | undefined
  readonly conditions?: readonly { readonly path?: string }[] | undefined
}

/** One issuer, and how its tokens describe users. */
export interface JwtConfig {
  readonly issuer: IssuerConfig
  readonly claimValidationRules?: readonly ClaimValidationRule[] | undefined
  readonly claimMappings: ClaimMappings
  readonly userValidationRules?: readonly UserValidationRule[] | undefined
}

export interface IssuerConfig {
  readonly url?: string | undefined
  readonly discoveryURL?: string | undefined
  /** The authorities that may have issued the issuer's certificate, as PEM. */
  readonly certificateAuthority?: string | undefined
  readonly audiences?: readonly string[] | undefined
  readonly audienceMatchPolicy?: string | undefined
  readonly egressSelectorType?: string | undefined
}

export interface ClaimValidationRule {
  readonly claim?: string | undefined
  readonly requiredValue?: string | undefined
  readonly expression?: string | undefined
  readonly message?: string | undefined
}

export interface ClaimMappings {
  readonly username: PrefixedClaimOrExpression
  readonly groups: PrefixedClaimOrExpression
  readonly uid: ClaimOrExpression
  readonly extra?: readonly ExtraMapping[] | undefined
}

export interface ClaimOrExpression {
  readonly claim?: string | undefined
  readonly expression?: string | undefined
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  /** Undefined means something other than empty. */
  readonly prefix?: string | undefined
}

export interface ExtraMapping {
  readonly key?: string | undefined
  readonly valueExpression?: string | undefined
}

export interface UserValidationRule {
  readonly expression?: string | undefined
  readonly message?: string | undefined
}

/**
 * Returns the type of the configuration. Egress selectors were added to the alpha and beta versions too, so all versions have the
 * same fields.
 */
function configurationType(version: string): StructType {
  const type = (name: string, fields: Parameters<typeof struct>[1]) => struct(`${version}.${name}`, fields)
  const claimOrExpression = { claim: string, expression: string }
  const prefixed = type('PrefixedClaimOrExpression', { ...claimOrExpression, prefix: pointer(string) })
  const issuer = type('Issuer', {
    url: string,
    discoveryURL: pointer(string),
    certificateAuthority: string,
    audiences: list(string),
    audienceMatchPolicy: named(`${version}.AudienceMatchPolicyType`),
    egressSelectorType: named(`${version}.EgressSelectorType`)
  })
  const rule = { expression: string, message: string }
  const jwt = type('JWTAuthenticator', {
    issuer,
    claimValidationRules: list(type('ClaimValidationRule', { claim: string, requiredValue: string, ...rule })),
    claimMappings: type('ClaimMappings', {
      username: prefixed,
      groups: prefixed,
      uid: type('ClaimOrExpression', claimOrExpression),
      extra: list(type('ExtraMapping', { key: string, valueExpression: string }))
    }),
    userValidationRules: list(type('UserValidationRule', rule))
  })
  const anonymous = type('AnonymousAuthConfig', {
    enabled: bool,
    conditions: list(type('AnonymousAuthCondition', { path: string }))
  })
  return type('AuthenticationConfiguration', { ...typeMeta, jwt: list(jwt), anonymous: pointer(anonymous) })
}

const group = 'apiserver.config.k8s.io'

const kind: ConfigKind = {
  kind: 'AuthenticationConfiguration',
  versions: Object.fromEntries(['v1', 'v1beta1', 'v1alpha1'].map(v => [`${group}/${v}`, configurationType(v)])),
  others: Object.fromEntries(
    ['AdmissionConfiguration', 'AuthorizationConfiguration', 'EgressSelectorConfiguration', 'EncryptionConfiguration'].map(
      other => [other, `apiserver.${other}`]
    )
  )
}

/** Throws a ConfigError with kube-apiserver's message. */
export const readAuthenticationConfiguration = (text: string): AuthenticationConfiguration => readConfig(text, kind).object
