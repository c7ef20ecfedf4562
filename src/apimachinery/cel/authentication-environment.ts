/**
 * The environments for expressions of authentication configurations
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration).
 */
import { userType } from './admission-environment.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { anyType, mapType, stringType } from './types.js'

/** The environment of claimMappings and claimValidationRules. */
export const claimsEnvironment = kubernetesEnvironment.extend(new Map([['claims', mapType(stringType, anyType)]]))

/** The environment of userValidationRules. */
export const userEnvironment = kubernetesEnvironment.extend(new Map([['user', userType]]), [userType])
