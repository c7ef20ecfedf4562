import type { CustomResourceConversion } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { plainText } from '../../apimachinery/validation/go-value.js'
import { caBundleProblem } from '../ca-bundle.js'
import { validateClientConfig, validateReviewVersions } from '../webhook-client-config.js'

const strategies = ['None', 'Webhook']

/** Validates the conversion. The paths in errors are those of kube-apiserver's internal type, which has an older form. */
export function validateConversion({ strategy, webhook }: CustomResourceConversion, at: Path, errors: FieldErrors): void {
  if (strategy === '') errors.required(at.child('strategy'))
  else if (!strategies.includes(strategy)) errors.notSupported(at.child('strategy'), plainText(strategy), strategies)
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) validateClientConfig(webhook.clientConfig, at.child('webhookClientConfig'), errors)
    else errors.required(at.child('webhookClientConfig'), 'required when strategy is set to Webhook')
    validateReviewVersions(webhook?.conversionReviewVersions, at.child('conversionReviewVersions'), errors)
    return
  }
  const why = 'should not be set when strategy is not set to Webhook'
  if (webhook?.clientConfig) errors.forbidden(at.child('webhookClientConfig'), why)
  if (webhook?.conversionReviewVersions?.length) errors.forbidden(at.child('conversionReviewVersions'), why)
}

/** Refuses to replace a valid CA bundle by an invalid one. A bundle that was invalid before may stay. */
export function validateCaBundleUpdate(
  conversion: CustomResourceConversion | undefined,
  old: CustomResourceConversion | undefined,
  at: Path,
  errors: FieldErrors
): void {
  const caBundle = conversion?.webhook?.clientConfig?.caBundle
  const oldBundle = old?.webhook?.clientConfig?.caBundle
  if (!caBundle || conversion?.strategy !== 'Webhook' || (oldBundle && caBundleProblem(oldBundle))) return
  const problem = caBundleProblem(caBundle)
  if (problem) errors.invalid(at.child('webhookClientConfig', 'caBundle'), caBundle, problem)
}
