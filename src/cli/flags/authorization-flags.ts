import type { AuthorizationMode } from '../../server/options.js'
import { flag } from './flag.js'
import { duration, string, strings } from './value-types.js'

/** The modes. Unknown and repeated ones are refused later, with the other options of authorization. */
const authorizationMode = strings<AuthorizationMode>(text => text as AuthorizationMode)

/** The flags about authorization. */
export const authorizationFlags = {
  'authorization-mode': flag<readonly AuthorizationMode[] | undefined>({
    section: 'Authorization',
    type: authorizationMode,
    default: undefined,
    defaultText: 'Node,RBAC',
    description:
      'Authorizers of requests, in order: any of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny. (kube-apiserver allows everything by default.)'
  }),
  'authorization-config': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description:
      'File with an AuthorizationConfiguration, which lists the authorizers, several webhooks among them. It takes the place of the modes and of the flags of their webhook. Its changes take effect without a restart.'
  }),
  'authorization-policy-file': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description: 'File with the policies of the mode ABAC: a JSON object a line.'
  }),
  'authorization-webhook-config-file': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    description: 'Kubeconfig file that says where the webhook of the mode Webhook is.'
  }),
  'authorization-webhook-version': flag({
    section: 'Authorization',
    type: string,
    default: undefined,
    defaultText: '"v1beta1"',
    description: 'Version of the SubjectAccessReviews that the webhook is sent: v1 or v1beta1.'
  }),
  'authorization-webhook-cache-authorized-ttl': flag<number | undefined>({
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '5m0s',
    description: "How long the webhook's permissions are remembered. 0 means not at all."
  }),
  'authorization-webhook-cache-unauthorized-ttl': flag<number | undefined>({
    section: 'Authorization',
    type: duration,
    default: undefined,
    defaultText: '30s',
    description: "How long the webhook's refusals are remembered. 0 means not at all."
  })
}
