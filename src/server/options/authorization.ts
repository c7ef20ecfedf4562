import { option } from './option.js'
import { duration, string, strings } from './value-types.js'

/**
 * A mode of authorization, as kube-apiserver's --authorization-mode names it.
 *
 * @example
 * const everything: AuthorizationMode[] = ['AlwaysAllow']
 * const server = createServer({ authorizationMode: everything })
 */
export type AuthorizationMode = 'Node' | 'RBAC' | 'ABAC' | 'Webhook' | 'AlwaysAllow' | 'AlwaysDeny'

/** The modes. Unknown and repeated ones are refused later, with the other options of authorization. */
const authorizationMode = {
  ...strings<AuthorizationMode>(text => text as AuthorizationMode),
  typescript: 'readonly AuthorizationMode[]'
}

/** The flags about authorization. */
export const authorizationOptions = {
  authorizationMode: option({
    flag: 'authorization-mode',
    section: 'Authorization',
    type: authorizationMode,
    default: undefined,
    defaultText: 'Node,RBAC',
    help: 'Authorizers of requests, in order: any of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny. (kube-apiserver allows everything by default.)'
  }),
  authorizationConfig: option({
    flag: 'authorization-config',
    isPath: true,
    section: 'Authorization',
    type: string,
    default: undefined,
    help: 'File with an AuthorizationConfiguration, which lists the authorizers, several webhooks among them. It takes the place of the modes and of the flags of their webhook. Its changes take effect without a restart.'
  }),
  authorizationPolicyFile: option({
    flag: 'authorization-policy-file',
    isPath: 'as given',
    section: 'Authorization',
    type: string,
    default: undefined,
    help: 'File with the policies of the mode ABAC: a JSON object a line.'
  }),
  authorizationWebhookConfigFile: option({
    flag: 'authorization-webhook-config-file',
    isPath: 'as given',
    section: 'Authorization',
    type: string,
    default: undefined,
    help: 'Kubeconfig file that says where the webhook of the mode Webhook is.'
  }),
  authorizationWebhookVersion: option({
    flag: 'authorization-webhook-version',
    section: 'Authorization',
    type: string,
    default: undefined,
    defaultText: '"v1beta1"',
    help: 'Version of the SubjectAccessReviews that the webhook is sent: v1 or v1beta1.'
  }),
  authorizationWebhookCacheAuthorizedTTL: option({
    flag: 'authorization-webhook-cache-authorized-ttl',
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '5m0s',
    help: "How long the webhook's permissions are remembered. 0 means not at all."
  }),
  authorizationWebhookCacheUnauthorizedTTL: option({
    flag: 'authorization-webhook-cache-unauthorized-ttl',
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '30s',
    help: "How long the webhook's refusals are remembered. 0 means not at all."
  })
}
